"""Reads a TCX file with independent readers and prints what each one found, a JSON object a line.

usage: read_tcx.py FILE SCHEMA

A reader that is not installed prints {"missing": its name on PyPI}.
"""
import json
import sys


def show(**values):
    print(json.dumps(values, default=str))


def with_schema(path, schema):
    """Order and types of the elements."""
    from lxml import etree

    checker = etree.XMLSchema(etree.parse(schema))
    valid = checker.validate(etree.parse(path))
    show(reader="lxml", valid=valid, errors=[f"{e.line}: {e.message}" for e in checker.error_log][:5])


def with_tcxreader(path, _):
    from tcxreader.tcxreader import TCXReader

    # Without a position a point would be dropped.
    found = TCXReader().read(path, only_gps=False)
    points = [
        [p.time.isoformat(), p.distance, p.hr_value, p.cadence, p.tpx_ext]
        for p in found.trackpoints
    ]
    show(
        reader="tcxreader", sport=found.activity_type, points=points, calories=found.calories,
        distance=found.distance, laps=len(found.laps), average=found.hr_avg, highest=found.hr_max)


def with_tcxparser(path, _):
    import tcxparser

    found = tcxparser.TCXParser(path)
    show(
        reader="python-tcxparser", sport=found.activity_type, seconds=found.duration,
        distance=found.distance, calories=found.calories, average=found.hr_avg,
        highest=found.hr_max, values=len(found.hr_values()))


for name, module, read in [
    ("lxml", "lxml", with_schema), ("tcxreader", "tcxreader", with_tcxreader),
    ("python-tcxparser", "tcxparser", with_tcxparser),
]:
    try:
        __import__(module)
    except ImportError:
        show(missing=name)
        continue
    try:
        read(*sys.argv[1:3])
    except Exception as error:  # what a reader does not take is the finding
        show(reader=name, error=f"{type(error).__name__}: {error}")
