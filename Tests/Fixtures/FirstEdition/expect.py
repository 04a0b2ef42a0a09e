"""Writes expected/: what the command of the first edition itself reads from the files in data/.

usage: expect.py COMMAND

COMMAND is the built command of the commit that README.md names. Nothing in data/ is changed.
"""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(tempfile.mkdtemp(prefix="first-edition-"))
DATA = ROOT / "data/pulsegate"
ENVIRONMENT = {
    "HOME": str(ROOT), "XDG_CONFIG_HOME": str(ROOT / "config"),
    "XDG_DATA_HOME": str(ROOT / "data"), "TZ": "UTC", "PATH": "/usr/bin:/bin",
}
FILES = {
    "health.fixture": "health.sqlite", "health-wal.fixture": "health.sqlite-wal",
    "journal.fixture": "journal.sqlite", "journal-wal.fixture": "journal.sqlite-wal",
    "devices.json": "devices.json", "people.json": "people.json",
}
CONFIGURATION = """{
  sources: { foot: { use: "serial", port: { path: "/dev/pulsegate-missing" }, protocol: "hxm" } },
  sinks: { store: "sqlite",
           repository: { use: "http", url: "http://127.0.0.1:9/", format: "ndjson" } } }"""
# What a session says that is the same whenever it is asked.
LIVE = ("id", "person", "activity", "location", "state", "start", "lapNumber", "zoneBounds", "gaps")
STEP = ("number", "count", "name")
SAVED = ("kind", "id", "person", "activity", "location", "start", "events")


def copy():
    """The files as a gateway finds them."""
    shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(parents=True)
    for source, target in FILES.items():
        shutil.copyfile(HERE / "data" / source, DATA / target)


def run(*words):
    done = subprocess.run(
        [COMMAND, *words], env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def write(name, text):
    (HERE / "expected").mkdir(exist_ok=True)
    (HERE / "expected" / name).write_text(text)


def write_json(name, value):
    write(name, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def rows(name, query):
    with sqlite3.connect(DATA / name) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(query)]


def samples():
    types = rows("health.sqlite", """SELECT DISTINCT name FROM type
                 JOIN sample ON sample.type = type.id ORDER BY name""")
    write("samples.ndjson", "".join(
        run("query", row["name"], "--format", "ndjson") for row in types))


def workouts():
    write("workouts.ndjson", run("workout", "list", "--json"))
    shown = json.loads(run("workout", "show", "--json"))
    # What these say is calculated of the rest.
    del shown["measures"], shown["laps"]
    write_json("workout.json", shown)


def people():
    people = json.loads(run("people", "list", "--json"))["people"]
    for person in people:
        # It is another one next year.
        person.pop("age", None)
    write_json("people.json", people)


def journal():
    """The lines behind the cursor of the sink whose server is not there, and the ledger."""
    sinks = {row.pop("name"): row for row in rows("journal.sqlite", "SELECT * FROM sink")}
    intake = rows("journal.sqlite", "SELECT * FROM intake")[0]
    del intake["only"]
    write_json("ledger.json", {"intake": intake, "sinks": sinks})
    cursor = sinks["repository"]["cursor"]
    waiting = []
    for batch in rows("journal.sqlite", "SELECT first, lines FROM batch ORDER BY first"):
        lines = batch["lines"].decode().splitlines()
        waiting += lines[max(cursor - batch["first"], 0):]
    assert len(waiting) == intake["published"] - cursor
    write("waiting.ndjson", "".join(f"{line}\n" for line in waiting))


def session():
    """The workout in progress, as a gateway shows it that starts a moment after the kill."""
    kept = rows("health.sqlite", "SELECT id, text, seen_ns FROM session")
    assert len(kept) == 1
    with sqlite3.connect(DATA / "health.sqlite") as database:
        database.execute("UPDATE session SET seen_ns = ?", [time.time_ns()])
    database.close()
    (ROOT / "config/pulsegate").mkdir(parents=True, exist_ok=True)
    (ROOT / "config/pulsegate/pulsegate.json5").write_text(CONFIGURATION)
    gateway = subprocess.Popen([COMMAND, "run"], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    while not (DATA / "control.sock").exists():
        time.sleep(0.1)
    live = json.loads(run("workout", "status", "--json"))["workouts"][0]
    run("workout", "stop", "--person", "ada")
    gateway.send_signal(signal.SIGTERM)
    gateway.wait()
    saved = json.loads(run("workout", "list", "--json", "--limit", "1"))
    assert live["id"] == saved["id"] == str(uuid.UUID(bytes=kept[0]["id"]))
    # The time without a gateway until now.
    assert saved["events"].pop()["event"] == "segment"
    rate = next(total for total in saved["totals"] if total["type"] == "heartRate")
    seconds, nanoseconds = divmod(kept[0]["seen_ns"], 1_000_000_000)
    seen = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    write_json("session.json", {
        "lastSeen": f"{seen}.{nanoseconds:09}Z",
        "status": {key: live[key] for key in LIVE},
        "step": {key: live["step"][key] for key in STEP},
        "workout": {key: saved[key] for key in SAVED},
        "heartRate": {key: rate[key] for key in ("minimum", "maximum", "unit")},
    })


try:
    for part in (samples, workouts, people, journal, session):
        copy()
        part()
finally:
    shutil.rmtree(ROOT)
