"""Reads every FIT and TCX file below a folder with readers of others and prints what each one found.

usage: read_folder.py FOLDER

A line is a JSON object for a file: its path, the reader, and either "error" or the values, whose
times are seconds since 1970. A TCX file has a second line, with its plain elements, read with lxml.
A reader that is not installed prints {"missing": its name on PyPI}.
"""
import json
import os
import sys

EPOCH = 631065600  # 1989-12-31T00:00:00Z
RELATIVE = 0x10000000  # A smaller number counts from the start of the device.


def show(**values):
    print(json.dumps(values, default=str), flush=True)


def with_fitdecode(path):
    """The checksums and the types are enforced; a file that is not right is read again without."""
    from fitdecode import CrcCheck, ErrorHandling

    found = messages(path, CrcCheck.RAISE, ErrorHandling.RAISE)
    if "error" in found:
        again = messages(path, CrcCheck.DISABLED, ErrorHandling.IGNORE)
        if "error" in again and not again["times"]:
            again = with_garmin(path) or again
        found = again | {"error": found["error"]}
    return found


def with_garmin(path):
    """Garmin's own reader, for a file on which fitdecode fails; nothing where it fails, too."""
    from garmin_fit_sdk import Decoder, Stream

    if not Decoder(Stream.from_file(path)).check_integrity():
        return None
    read, _ = Decoder(Stream.from_file(path)).read(
        apply_scale_and_offset=False, convert_datetimes_to_dates=False, convert_types_to_strings=False,
        expand_components=False, merge_heart_rates=False)

    def part(message):
        def number(name, scale=1):
            return message[name] / scale if name in message else None

        return dict(
            start=message["start_time"] + EPOCH, written=message["timestamp"] + EPOCH,
            elapsed=number("total_elapsed_time", 1000), active=number("total_timer_time", 1000),
            distance=number("total_distance", 100), energy=number("total_calories"))

    records = read.get("record_mesgs", [])

    def values(name, scale=1):
        return [[r["timestamp"] + EPOCH, r[name] / scale] for r in records if name in r]

    return dict(
        types=[m.get("type") for m in read.get("file_id_mesgs", [])], rates=values("heart_rate"),
        distances=values("distance", 100), energies=values("calories"),
        times=[r["timestamp"] + EPOCH for r in records], stored=0, relative=0, correlated=0,
        sessions=[part(m) for m in read.get("session_mesgs", [])],
        laps=[part(m) for m in read.get("lap_mesgs", [])])


def messages(path, check_crc, error_handling):
    """The values of the activity in a file, until an error."""
    import fitdecode

    found = dict(types=[], rates=[], distances=[], energies=[], times=[], sessions=[], laps=[], stored=0, relative=0, correlated=0)

    def raw(message, number):
        for field in message.fields:
            # A developer field can have the same number.
            isDeveloper = isinstance(field.field_def, fitdecode.types.DevFieldDefinition)
            if field.def_num == number and not isDeveloper and not field.parent_field:
                return field.raw_value if field.value is not None else None
        return None

    def moment(message, field):
        value = raw(message, field)
        if not isinstance(value, int) or value == 0xFFFFFFFF:
            return None
        if value < RELATIVE:
            found["relative"] += 1
            return None
        return value + EPOCH

    def number(message, field, scale=1):
        value = raw(message, field)
        if isinstance(value, (tuple, list)):
            value = value[0] if value else None
        return value / scale if isinstance(value, (int, float)) else None

    def part(message):
        return dict(
            start=moment(message, 2), written=moment(message, 253), elapsed=number(message, 7, 1000),
            active=number(message, 8, 1000), distance=number(message, 9, 100), energy=number(message, 11))

    try:
        with fitdecode.FitReader(path, check_crc=check_crc, error_handling=error_handling) as fit:
            isKept = True
            for frame in fit:
                if not isinstance(frame, fitdecode.FitDataMessage):
                    continue
                kind = frame.global_mesg_num
                if kind == 0:
                    found["types"].append(number(frame, 0))
                    isKept = number(frame, 0) == 4 and found["types"].count(4) == 1
                if not isKept:
                    continue
                if kind == 18:
                    found["sessions"].append(part(frame))
                elif kind == 19:
                    found["laps"].append(part(frame))
                elif kind == 132:
                    found["stored"] += 1
                elif kind == 162:
                    found["correlated"] += 1
                elif kind == 20:
                    time = moment(frame, 253)
                    found["times"].append(time)
                    for field, name, scale in [(3, "rates", 1), (5, "distances", 100), (33, "energies", 1)]:
                        value = number(frame, field, scale)
                        if value is not None:
                            found[name].append([time, value])
    except Exception as error:
        found["error"] = f"{type(error).__name__}: {error}"
    return found


def with_tcxreader(path):
    from tcxreader.tcxreader import TCXReader

    # Without a position a point would be dropped.
    file = TCXReader().read(path, only_gps=False)
    points = file.trackpoints
    return dict(
        rates=[[seconds(p.time), p.hr_value] for p in points if p.hr_value is not None],
        distance=file.distance, energy=file.calories, times=[seconds(p.time) for p in points],
        laps=len(file.laps))


def seconds(time):
    import datetime

    return time.replace(tzinfo=time.tzinfo or datetime.timezone.utc).timestamp() if time else None


def with_lxml(path):
    """The elements of the first activity, as they are."""
    from lxml import etree

    def moment(text):
        import datetime

        try:
            return seconds(datetime.datetime.fromisoformat((text or "").strip()))
        except ValueError:
            return None

    def number(node, name):
        try:
            return float(node.findtext(name))
        except (TypeError, ValueError):
            return None

    with open(path, "rb") as file:
        root = etree.fromstring(file.read().lstrip(), etree.XMLParser(resolve_entities=False, huge_tree=False))
    for node in root.iter():
        if isinstance(node.tag, str):
            node.tag = etree.QName(node).localname
    found = dict(root=root.tag, activities=0, rates=[], distances=[], times=[], laps=[])
    for activity in root.iter("Activity"):
        found["activities"] += 1
        if found["activities"] > 1:
            continue
        for lap in activity.findall("Lap"):
            tracks = [[moment(p.text) for p in t.iterfind("Trackpoint/Time")] for t in lap.findall("Track")]
            tracks = [t for t in tracks if t and None not in t]
            found["laps"].append(dict(
                gaps=sum(max(0, t[0] - last[-1]) for last, t in zip(tracks, tracks[1:])),
                start=moment(lap.get("StartTime")), active=number(lap, "TotalTimeSeconds"),
                distance=number(lap, "DistanceMeters"), energy=number(lap, "Calories")))
            for point in lap.iterfind("Track/Trackpoint"):
                time = moment(point.findtext("Time"))
                found["times"].append(time)
                for element, name in [("HeartRateBpm/Value", "rates"), ("DistanceMeters", "distances")]:
                    value = number(point, element)
                    if value is not None:
                        found[name].append([time, value])
    return found


def read(reader, name, path):
    try:
        show(path=path, reader=name, **reader(path))
    except Exception as error:  # what a reader does not take is the finding
        show(path=path, reader=name, error=f"{type(error).__name__}: {error}")


for module in ["fitdecode", "garmin_fit_sdk", "tcxreader", "lxml"]:
    try:
        __import__(module)
    except ImportError:
        show(missing=module)
        sys.exit()
for folder, _, names in sorted(os.walk(sys.argv[1])):
    for name in sorted(names):
        path = os.path.join(folder, name)
        if name.lower().endswith(".fit"):
            read(with_fitdecode, "fitdecode", path)
        if name.lower().endswith(".tcx"):
            read(with_tcxreader, "tcxreader", path)
            read(with_lxml, "lxml", path)
