"""Reads a FIT file with three independent readers and prints what each one found, a JSON object a line.

usage: read_fit.py FILE

A reader that is not installed prints {"missing": its name on PyPI}.
"""
import json
import sys

EPOCH = 631065600  # 1989-12-31T00:00:00Z


def show(**values):
    print(json.dumps(values, default=str))


def seconds(value):
    return value.timestamp() if hasattr(value, "timestamp") else value


def plain(value):
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return seconds(value)


def with_fitdecode(path):
    """The whole file in its order; the checksums are enforced."""
    import fitdecode

    messages = []
    with fitdecode.FitReader(path, check_crc=fitdecode.CrcCheck.RAISE) as fit:
        for frame in fit:
            if isinstance(frame, fitdecode.FitDataMessage):
                fields = {f.name: plain(f.raw_value) for f in frame.fields if f.value is not None}
                messages.append([frame.name, fields])
    show(reader="fitdecode", messages=messages)


def with_fitparse(path):
    import fitparse

    counts, session = {}, {}
    for message in fitparse.FitFile(path, check_crc=True).get_messages():
        counts[message.name] = counts.get(message.name, 0) + 1
        if message.name == "session":
            session = {f.name: plain(f.value) for f in message.fields if f.value is not None}
    show(reader="fitparse", counts=counts, session=session)


def with_garmin(path):
    """Garmin's own reader, which tells about errors instead of raising them."""
    from garmin_fit_sdk import Decoder, Stream

    whole = Decoder(Stream.from_file(path)).check_integrity()
    messages, errors = Decoder(Stream.from_file(path)).read()
    show(
        reader="garmin-fit-sdk", whole=whole, errors=[str(e) for e in errors],
        counts={name: len(found) for name, found in messages.items()},
        session={k: plain(v) for k, v in (messages.get("session_mesgs") or [{}])[0].items() if isinstance(k, str)})


for name, module, read in [
    ("fitdecode", "fitdecode", with_fitdecode), ("fitparse", "fitparse", with_fitparse),
    ("garmin-fit-sdk", "garmin_fit_sdk", with_garmin),
]:
    try:
        __import__(module)
    except ImportError:
        show(missing=name)
        continue
    try:
        read(sys.argv[1])
    except Exception as error:  # what a reader does not take is the finding
        show(reader=name, error=f"{type(error).__name__}: {error}")
