#!/usr/bin/env python3
"""A source that loses nothing: it sends each value again until the gateway has acknowledged it.

    sources: { scale: { use: "exec", command: ["/usr/local/bin/resend.py", "/var/lib/scale"] } }

The folder has a file `values` with one JSON object a line: {"time": "2026-11-21T18:15:00Z", "kg": 70.5}.
The number of the line is `seq`, and the folder is the session: a line that comes again is stored once.
"""

import json
import os
import sys


def main(folder):
    state = os.path.join(folder, "acknowledged")
    done = int(open(state).read()) if os.path.exists(state) else 0
    with open(os.path.join(folder, "values")) as file:
        values = [json.loads(line) for line in file]
    for number, value in enumerate(values, start=1):
        if number <= done:
            continue
        reading = {"reading": "instant", "type": "bodyMass", "unit": "kg", "value": value["kg"],
                   "time": value["time"], "seq": number, "session": folder}
        print(json.dumps(reading), flush=True)
        answer = json.loads(sys.stdin.readline() or "null")
        if answer is None:
            return  # The gateway ends.
        if "nack" in answer:
            print(f"value {number} is rejected: {answer['reason']}", file=sys.stderr)
        with open(state + ".new", "w") as file:
            file.write(str(number))
            file.flush()
            os.fsync(file.fileno())
        os.replace(state + ".new", state)
    sys.stdin.read()  # Nothing more to send: wait until the gateway ends.


if __name__ == "__main__":
    main(sys.argv[1])
