#!/usr/bin/env python3
"""Decodes the Heart Rate Service for Pulsegate, as an example of a decoder for a Bluetooth LE device.

The configuration gives it the values of the characteristic:

    straps: {
      use: "bluetooth",
      profiles: [{
        use: "exec", name: "strap", service: "180d", subscribe: ["2a37"], read: ["2a38"],
        command: ["python3", "/path/to/heart_rate_decoder.py"],
      }],
    }

The layout of a value is that of Heart Rate Service 1.0, section 3.1.
"""
import json
import sys


def answer(line):
    """Prints a line for the gateway; without flush it would wait in a buffer."""
    print(json.dumps(line), flush=True)


def decode(value):
    """Decodes a Heart Rate Measurement: flags, heart rate, and perhaps energy and R-R intervals."""
    flags = value[0]
    position = 1
    if flags & 0x01:
        rate = int.from_bytes(value[1:3], "little")
        position = 3
    else:
        rate = value[1]
        position = 2
    if flags & 0x04:
        answer({"reading": "state", "contact": bool(flags & 0x02)})
    if rate and flags & 0x06 != 0x04:
        answer({"reading": "instant", "type": "heartRate", "value": rate, "unit": "count/min"})
    if flags & 0x08:
        position += 2
    ticks = [int.from_bytes(value[i:i + 2], "little") for i in range(position, len(value) - 1, 2)]
    if flags & 0x10 and ticks:
        answer({"reading": "beats", "ticks": ticks, "perSecond": 1024})


for text in sys.stdin:
    event = json.loads(text)
    if event["event"] == "rejected":
        print("rejected:", event["reason"], file=sys.stderr, flush=True)
    if event["event"] != "received" or event["channel"] != "2a37":
        continue
    try:
        decode(bytes.fromhex(event["bytes"]))
    except IndexError:
        answer({"discarded": "damaged"})
