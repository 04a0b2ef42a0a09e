"""Writes a FIT file with Garmin's own program, with what a watch has and a gateway does not.

usage: write_fit.py FILE UNUSED
"""
import json
import sys
from datetime import datetime, timedelta, timezone

try:
    from garmin_fit_sdk import Encoder, Profile
except ImportError:
    print(json.dumps({"missing": "garmin-fit-sdk"}))
    sys.exit()

NUMBERS = Profile["mesg_num"]
START = datetime(2026, 9, 21, 14, 0, 0, tzinfo=timezone.utc)
encoder = Encoder()


def write(kind, after=None, **fields):
    if after is not None:
        fields["timestamp"] = START + timedelta(seconds=after)
    encoder.write_mesg({"mesg_num": NUMBERS[kind], **fields})


write("FILE_ID", type="activity", manufacturer="wahoo_fitness", product=1, serial_number=4711, time_created=START)
write("DEVICE_INFO", 0, device_index=0, product_name="BOLT", manufacturer="wahoo_fitness")
write(
    "DEVICE_INFO", 0, device_index=1, device_type=120, source_type="antplus",
    manufacturer="garmin", serial_number=815)
write("EVENT", 0, event="timer", event_type="start")
for second in list(range(0, 61)) + list(range(120, 181)):
    if second == 120:
        write("EVENT", 60, event="timer", event_type="stop_all")
        write("EVENT", 120, event="timer", event_type="start")
    write(
        "RECORD", second, position_lat=500000000 + second, position_long=100000000,
        enhanced_altitude=200.0, enhanced_speed=8.5, distance=8.5 * (second if second <= 60 else second - 59),
        heart_rate=130, cadence=85, power=200, temperature=20)
    write("HRV", time=[0.46, 0.46, 65.535, 65.535, 65.535])
write("EVENT", 180, event="timer", event_type="stop_all")
for index, (begin, end) in enumerate([(0, 60), (60, 180)]):
    write(
        "LAP", end, message_index=index, start_time=START + timedelta(seconds=begin),
        total_elapsed_time=float(end - begin), total_timer_time=60.0, total_calories=12)
write(
    "SESSION", 180, start_time=START, sport="cycling", sub_sport="indoor_cycling",
    total_elapsed_time=180.0, total_timer_time=120.0, total_calories=24, first_lap_index=0, num_laps=2)
write("ACTIVITY", 180, total_timer_time=120.0, num_sessions=1, type="manual")
with open(sys.argv[1], "wb") as file:
    file.write(encoder.close())
print(json.dumps({"reader": "garmin-fit-sdk"}))
