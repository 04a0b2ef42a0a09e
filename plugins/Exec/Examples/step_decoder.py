#!/usr/bin/env python3
"""Decodes a pedometer that sends the byte `#` for each step, as an example of a decoder for a serial port.

    foot: {
      use: "serial", port: { path: "/dev/ttyUSB0" },
      protocol: { use: "exec", command: ["python3", "/path/to/step_decoder.py"], baud: 9600 },
    }
"""
import json
import sys

total = 0
for text in sys.stdin:
    event = json.loads(text)
    if event["event"] == "opened":
        total = 0
    elif event["event"] == "received":
        data = bytes.fromhex(event["bytes"])
        total += data.count(b"#")
        if data.count(b"#") < len(data):
            print(json.dumps({"discarded": "unknown"}), flush=True)
    elif event["event"] == "rejected":
        print("rejected:", event["reason"], file=sys.stderr, flush=True)
        continue
    else:
        continue
    line = {"reading": "counter", "type": "stepCount", "value": total, "unit": "count"}
    print(json.dumps(line), flush=True)
