#!/usr/bin/env python3
"""A sink: appends every sample to a file of comma-separated values, once.

    sinks: { table: { use: "exec", command: ["/usr/local/bin/csv_sink.py", "samples.csv"] } }

A batch can come again after a failure, with the same ids: the ids in the file are read at the start.
"""

import csv
import json
import os
import sys


def main(path):
    known = set()
    if os.path.exists(path):
        with open(path, newline="") as file:
            known = {row[0] for row in csv.reader(file) if row}
    with open(path, "a", newline="") as file:
        table = csv.writer(file)
        for line in sys.stdin:
            batch = json.loads(line)
            for sample in batch["samples"]:
                if sample["id"] in known or "value" not in sample:
                    continue
                known.add(sample["id"])
                table.writerow(
                    [sample["id"], sample["type"], sample["start"], sample["value"], sample.get("unit", "")])
            # Acknowledged means stored: also after a loss of power.
            file.flush()
            os.fsync(file.fileno())
            print(json.dumps({"ack": batch["batch"]}), flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error.strerror}")
