#!/usr/bin/env python3
"""Sends heart rates to a Lab Streaming Layer, beside recordings of other devices.

    pulsegate tap --json --type heartRate | lsl_bridge.py

It needs `pip install pylsl`.
"""

import json
import sys

from pylsl import IRREGULAR_RATE, StreamInfo, StreamOutlet, local_clock


def main():
    outlets = {}
    for line in sys.stdin:
        record = json.loads(line)
        if record.get("type") != "heartRate":
            continue
        device = record.get("device", {}).get("localIdentifier", "")
        if device not in outlets:
            info = StreamInfo("HeartRate", "HR", 1, IRREGULAR_RATE, "float32", f"pulsegate-{device}")
            outlets[device] = StreamOutlet(info)
        outlets[device].push_sample([record["value"]], local_clock())


if __name__ == "__main__":
    main()
