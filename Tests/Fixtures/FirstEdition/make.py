"""Makes the files in data/ with the command of the first edition.

usage: make.py COMMAND

COMMAND is the built command of the commit that README.md names. It must run as root: two names in
/dev lead to pseudo-terminals meanwhile. It needs a C compiler, and takes a minute.
"""
import http.server
import json
import os
import pathlib
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = str(pathlib.Path(sys.argv[1]).resolve())
ROOT = pathlib.Path(tempfile.mkdtemp(prefix="first-edition-"))
DATA = ROOT / "data/pulsegate"
# 2026-11-21T09:00:00Z: the wall clock of all commands begins there. A clock that shows an earlier day
# is not set for this version, so whoever reads the files does it later.
BEGINNING = 1_795_251_600
ENVIRONMENT = {
    "HOME": str(ROOT), "XDG_CONFIG_HOME": str(ROOT / "config"),
    "XDG_DATA_HOME": str(ROOT / "data"), "TZ": "Europe/Berlin", "PATH": "/usr/bin:/bin",
    "LD_PRELOAD": str(ROOT / "wall_clock.so"),
    "WALL_CLOCK_OFFSET": str(int(BEGINNING - time.time())),
}
STRAP, FOOT = "/dev/ttyHxM0", "/dev/ttySteps0"
HXM = HERE / "../../../plugins/HxM/Fixtures/hxm-40-packets.dat"
PACKET_BYTES = 60
PLAN = """{ name: "Intervals", steps: [
    { name: "warm up", open: true, zone: [1, 2] },
    { repeat: 2, steps: [{ name: "fast", open: true, zone: 4 }, { name: "slow", open: true }] },
    { name: "cool down", open: true } ] }"""


def configure(sink):
    """One sink is the store, the other one a repository under a name."""
    text = f"""{{
      people: {{ ada: {{}} }},
      sources: {{
        strap: {{ use: "serial", port: {{ path: "{STRAP}" }}, protocol: "hxm" }},
        foot: {{ use: "serial", port: {{ path: "{FOOT}" }},
                protocol: {{ use: "lines", preset: "steps" }} }} }},
      devices: {{ "{STRAP}": {{ person: "ada", name: "Red strap" }},
                 "{FOOT}": {{ person: "ada", name: "Shoe" }} }},
      sinks: {{ store: "sqlite", {sink} }} }}"""
    (ROOT / "config/pulsegate").mkdir(parents=True, exist_ok=True)
    (ROOT / "config/pulsegate/pulsegate.json5").write_text(text)


def run(*words):
    print("$ pulsegate", *words, flush=True)
    done = subprocess.run(
        [COMMAND, *words], env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def status():
    return json.loads(run("status", "--json"))


def wait_until(is_met):
    for _ in range(300):
        if is_met():
            return
        time.sleep(0.1)
    sys.exit("it does not come to that")


class Gateway:
    """A running gateway with a strap and a pedometer."""

    running = []

    def __init__(self):
        self.ports = {}
        self.running.append(self)
        for name in (STRAP, FOOT):
            master, slave = pty.openpty()
            tty.setraw(slave)
            os.symlink(os.ttyname(slave), name)
            # The slave stays open here: without anybody there the gateway would see the end.
            self.ports[name] = (master, slave)
        self.process = subprocess.Popen(
            [COMMAND, "run"], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        wait_until(lambda: (DATA / "control.sock").exists())
        wait_until(lambda: [d["link"] for d in status()["devices"]] == ["live", "live"])

    def beat(self, packets):
        """Sends packets of a real strap, one a second."""
        content = HXM.read_bytes()
        for number in packets:
            os.write(
                self.ports[STRAP][0],
                content[PACKET_BYTES * number:PACKET_BYTES * (number + 1)])
            time.sleep(1)

    def step(self, *totals):
        for total in totals:
            line = f"Steps: {total}, Distance: {total * 0.75:.2f} m\n"
            os.write(self.ports[FOOT][0], line.encode())
            time.sleep(0.3)

    def take(self, *records):
        """Asks the gateway to take records, as `workout import` does."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(DATA / "control.sock"))
            request = json.dumps({"request": "take", "records": records}, separators=(",", ":"))
            client.sendall(request.encode() + b"\n")
            print("take", client.recv(4096).decode().strip(), flush=True)

    def settle(self):
        """Waits until all is committed, and stored."""
        def is_settled():
            now = status()
            store = next(sink for sink in now["sinks"] if sink["name"] == "store")
            return now["journal"]["waiting"] == 0 and store["pending"] == 0
        time.sleep(0.3)
        wait_until(is_settled)

    def end(self, number):
        self.running.remove(self)
        self.process.send_signal(number)
        print("the gateway ended with", self.process.wait(), flush=True)
        for name, (master, slave) in self.ports.items():
            os.unlink(name)
            os.close(master)
            os.close(slave)


class Repository(http.server.BaseHTTPRequestHandler):
    """A server that takes everything."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def people_and_devices():
    run("people", "set", "ada", "--birth-date", "1986-02-14", "--sex", "female",
        "--maximum-heart-rate", "188", "--zones", "reserve:50,60,70,80,90",
        "--units", "bodyMass=lb,height=in")
    run("people", "set", "bob", "--birth-date", "2005-07-01", "--sex", "male")
    run("adopt", "D0:11:22:33:44:55", "--person", "ada", "--role", "primary",
        "--name", "Ada's strap")
    run("adopt", "/dev/ttyUSB0", "--person", "bob", "--name", "Bob's shoe",
        "--protocol", '{ use: "lines", preset: "steps", baud: 9600 }')
    run("adopt", "00:07:80:11:22:33", "--person", "ada", "--role", "backup",
        "--protocol", "hxm")


def first_run():
    """A server is there; the sink has another name than later."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Repository)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    configure(f'repo: {{ use: "http", url: "http://127.0.0.1:{server.server_port}/", '
              'format: "ndjson" }')
    gateway = Gateway()
    gateway.beat(range(0, 4))
    gateway.step(10, 17, 24)
    # More than anybody walks: it is counted as implausible.
    gateway.step(90_000)
    run("add", "bodyMass", "154", "lb", "--person", "ada", "--at", "2026-11-21T06:00:00Z")
    run("add", "height", "1.72", "m", "--person", "ada", "--at", "2026-11-21T06:00:00Z")
    run("add", "restingHeartRate", "58", "count/min", "--person", "ada",
        "--at", "2026-11-21T06:01:00Z")
    gateway.settle()
    wait_until(lambda: all(sink["pending"] == 0 for sink in status()["sinks"]))
    gateway.end(signal.SIGTERM)
    server.shutdown()
    server.server_close()


def configure_without_server():
    # Port 9 (discard) of this machine: nothing listens there.
    configure('repository: { use: "http", url: "http://127.0.0.1:9/", format: "ndjson", '
              'formerly: "repo" }')


def second_run():
    """A workout from its start to its end, and values of every kind; the server is gone."""
    gateway = Gateway()
    run("workout", "start", "--person", "ada", "--activity", "running", "--outdoor")
    gateway.beat(range(4, 10))
    gateway.step(5, 12, 20)
    run("workout", "lap", "--person", "ada")
    gateway.beat(range(10, 14))
    run("workout", "mark", "--person", "ada")
    gateway.beat(range(14, 16))
    run("workout", "pause", "--person", "ada")
    gateway.beat(range(16, 18))
    run("workout", "resume", "--person", "ada")
    gateway.beat(range(18, 24))
    run("workout", "pause", "--person", "ada")
    # In a pause nobody waits for the recovery of the heart.
    run("workout", "stop", "--person", "ada")
    at = "2026-11-20T22:30:00.000Z"
    gateway.take(
        {"kind": "category", "id": "0198f3c2-0123-8abc-8000-000000000001",
         "type": "sleepAnalysis", "start": at, "end": "2026-11-21T05:45:00.000Z", "value": 4,
         "person": "ada"},
        {"kind": "correlation", "id": "0198f3c2-0123-8abc-8000-000000000002",
         "type": "bloodPressure", "start": at, "end": at, "person": "ada", "samples": [
             {"id": "0198f3c2-0123-8abc-8000-000000000003", "type": "bloodPressureSystolic",
              "start": at, "end": at, "value": 120, "unit": "mmHg", "person": "ada"},
             {"id": "0198f3c2-0123-8abc-8000-000000000004", "type": "bloodPressureDiastolic",
              "start": at, "end": at, "value": 80, "unit": "mmHg", "person": "ada"}]})
    run("add", "oxygenSaturation", "0.97", "%", "--person", "bob",
        "--at", "2026-11-21T07:00:00Z")
    run("add", "dietaryEnergyConsumed", "650", "kcal", "--person", "ada",
        "--from", "2026-11-21T08:00:00Z", "--at", "2026-11-21T08:20:00Z")
    (ROOT / "plan.json5").write_text(PLAN)
    run("workout", "start", "--person", "ada", "--activity", "rowing", "--indoor",
        "--plan", str(ROOT / "plan.json5"))
    gateway.beat(range(24, 28))
    run("workout", "lap", "--person", "ada")
    gateway.settle()
    gateway.end(signal.SIGTERM)


def third_run():
    """The second workout goes on, until the gateway is killed."""
    gateway = Gateway()
    gateway.beat(range(28, 31))
    run("workout", "pause", "--person", "ada")
    run("workout", "resume", "--person", "ada")
    gateway.settle()
    gateway.end(signal.SIGKILL)


def keep():
    """The files as they are; .gitignore does not let *.sqlite in."""
    target = HERE / "data"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for name in sorted(os.listdir(DATA)):
        print(name, (DATA / name).stat().st_size, flush=True)
        if name.startswith(("health.sqlite", "journal.sqlite")) and not name.endswith(
                ("-shm", "-reserve")):
            shutil.copyfile(DATA / name, target / (name.replace(".sqlite", "") + ".fixture"))
        elif name in ("devices.json", "people.json"):
            shutil.copyfile(DATA / name, target / name)


try:
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-o", ROOT / "wall_clock.so", HERE / "wall_clock.c"], check=True)
    people_and_devices()
    first_run()
    configure_without_server()
    second_run()
    third_run()
    keep()
finally:
    for gateway in Gateway.running[:]:
        gateway.end(signal.SIGKILL)
    shutil.rmtree(ROOT)
