import GatewayTesting
import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// TCX files as other programs write them.
final class TCXImportTests: XCTestCase {
    private func file(_ laps: String, sport: String = "Biking", rest: String = "") -> [UInt8] {
        Array(
            """
            <?xml version="1.0"?>
            <!-- a comment -->
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/\
            TrainingCenterDatabase/v2" xmlns:ns3="http://www.garmin.com/xmlschemas/\
            ActivityExtension/v2"><Activities><Activity Sport='\(sport)'>
            <Id>2026-09-21T14:00:00Z</Id>\(laps)
            <Creator xsi:type="Device_t" xmlns:xsi="x"><Name>Edge &amp; &#x43;o</Name></Creator>
            </Activity>\(rest)</Activities></TrainingCenterDatabase>
            """.utf8)
    }

    private func point(_ time: String, _ more: String = "") -> String {
        "<Trackpoint><Time>2026-09-21T14:\(time)Z</Time>\(more)</Trackpoint>"
    }

    private func at(_ time: String) throws -> Instant {
        try XCTUnwrap(Instant(iso8601: "2026-09-21T14:\(time)Z"))
    }

    private func message(_ bytes: [UInt8]) -> String {
        do {
            _ = try WorkoutFile.read(bytes)
            return "read"
        } catch {
            return "\(error)"
        }
    }

    func testCourse_besideAnActivity_isNoPartOfIt() throws {
        let lap = """
            <Lap StartTime="2026-09-21T14:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds>
            <Calories>7</Calories><Track>\(point("00:00"))\(point("01:00"))</Track></Lap>
            """
        let course = """
            <Courses><Course><Lap><TotalTimeSeconds>5</TotalTimeSeconds><Calories>900</Calories>
            </Lap><Track>\(point("00:20", "<HeartRateBpm><Value>99</Value></HeartRateBpm>"))
            </Track></Course></Courses>
            """

        let alone = try WorkoutFile.read(file(lap))
        let both = try WorkoutFile.read(file(lap, rest: course))

        XCTAssertEqual(alone.samples.sum(.activeEnergyBurned), 7)
        XCTAssertEqual(both, alone)
    }

    func testLaps_ofAnotherProgram_areRead() throws {
        let rate = "<HeartRateBpm><Value> 120 </Value></HeartRateBpm>"
        let place = "<Position><LatitudeDegrees>1</LatitudeDegrees></Position>"
        let bytes = file(
            """
            <Lap StartTime="2026-09-21T14:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds>
            <Calories>7</Calories>
            <Track>\(point("00:00", place + rate))\(point("00:30", rate + "<Cadence>80</Cadence>"))
            </Track></Lap>
            <Lap StartTime="2026-09-21T14:01:00Z"><TotalTimeSeconds>20</TotalTimeSeconds>
            <Track>\(point("01:01", "<AltitudeMeters>5</AltitudeMeters>"))
            \(point("01:10", "<Extensions><ns3:TPX><ns3:Speed>9.5</ns3:Speed></ns3:TPX></Extensions>"))
            </Track><Track>\(point("01:30"))\(point("01:40", rate))</Track></Lap>
            """)

        let imported = try WorkoutFile.read(bytes)

        let workout = imported.workout
        XCTAssertEqual(workout.activity.type, .cycling)
        XCTAssertEqual(workout.device?.name, "Edge & Co")
        XCTAssertEqual(workout.start, try at("00:00"))
        XCTAssertEqual(workout.end, try at("01:40"))
        XCTAssertEqual(workout.events.map(\.kind), [.lap, .pause, .resume])
        XCTAssertEqual(
            workout.events.map(\.end), [try at("01:00"), try at("01:10"), try at("01:30")])
        XCTAssertEqual(imported.samples.of(.heartRate).map(\.quantity.value), [120, 120, 120])
        XCTAssertEqual(imported.samples.of(.cyclingCadence).map(\.quantity.value), [80])
        XCTAssertEqual(imported.samples.of(.cyclingSpeed).map(\.quantity.value), [9.5])
        XCTAssertEqual(imported.samples.sum(.activeEnergyBurned), 7)
        XCTAssertEqual(imported.skipped.positions, 1)
        XCTAssertEqual(imported.skipped.unknown, 1, "an altitude")
    }

    func testPauses_areShorterThanTheGapsOfTheTracks_byTheActiveTime() throws {
        let tracks = [("00:00", "00:09"), ("00:20", "00:29"), ("00:40", "00:49")].map {
            "<Track>\(point($0.0))\(point($0.1))</Track>"
        }.joined()
        let next = "<Lap StartTime=\"2026-09-21T14:01:00Z\"><Track>\(point("01:00"))</Track></Lap>"
        for (rest, end) in [("", "00:49"), (next, "01:00")] {
            // Two gaps of 11 seconds; the timer ran for half a second after each track.
            let seconds = rest.isEmpty ? 28.0 : 39.0
            let lap = """
                <Lap StartTime="2026-09-21T14:00:00Z"><TotalTimeSeconds>\(seconds)</TotalTimeSeconds>
                \(tracks)</Lap>
                """

            let workout = try WorkoutFile.read(file(lap + rest)).workout

            XCTAssertEqual(workout.end, try at(end))
            XCTAssertEqual(workout.seconds, seconds)
            XCTAssertEqual(
                workout.pauses.map(\.lowerBound),
                [try at("00:09").later(bySeconds: 0.5), try at("00:29").later(bySeconds: 0.5)])
            XCTAssertEqual(workout.pauses.map(\.upperBound), [try at("00:20"), try at("00:40")])
        }
    }

    func testDistance_thatFallsBack_startsAgain() throws {
        let points = [("00", 0.0), ("10", 30), ("20", 60), ("30", 5), ("40", 25)].map {
            point("00:\($0.0)", "<DistanceMeters>\($0.1)</DistanceMeters>")
        }.joined()
        let lap = "<Lap StartTime=\"2026-09-21T14:00:00Z\"><Track>\(points)</Track></Lap>"

        let samples = try WorkoutFile.read(file(lap)).samples

        XCTAssertEqual(samples.map(\.quantity.value), [30, 30, 20])
        XCTAssertEqual(samples.map(\.end), [try at("00:10"), try at("00:20"), try at("00:40")])
    }

    private func lap(
        _ start: String, seconds: Int, meters: Double, _ points: [(time: String, meters: Double?)]
    ) -> String {
        let points = points.map { time, meters in
            point(time, meters.map { "<DistanceMeters>\($0)</DistanceMeters>" } ?? "")
        }
        return """
            <Lap StartTime="2026-09-21T14:\(start)Z"><TotalTimeSeconds>\(seconds)</TotalTimeSeconds>
            <DistanceMeters>\(meters)</DistanceMeters><Track>\(points.joined())</Track></Lap>
            """
    }

    func testDistance_whichTheTrackLacks_isThatOfTheLaps() throws {
        let laps =
            lap("00:00", seconds: 60, meters: 50, [("00:00", nil), ("00:59", nil)])
            + lap("01:00", seconds: 30, meters: 0, [("01:00", nil), ("01:29", nil)])
            + lap("01:30", seconds: 60, meters: 25, [("01:30", nil), ("02:30", nil)])

        let samples = try WorkoutFile.read(file(laps)).samples

        XCTAssertEqual(samples.map(\.quantity.value), [50, 25])
        XCTAssertEqual(samples.map(\.start), [try at("00:00"), try at("01:30")])
        XCTAssertEqual(samples.map(\.end), [try at("01:00"), try at("02:30")])
    }

    func testTrack_withAFewPoints_isCompletedFromTheLaps() throws {
        let ride = lap(
            "00:00", seconds: 3_000, meters: 20_000,
            [("00:00", 2.07), ("00:01", 9), ("00:02", 15.67), ("50:00", nil)])

        let samples = try WorkoutFile.read(file(ride)).samples

        XCTAssertEqual(samples.sum(.distanceCycling), 20_000, accuracy: 0.001)
        XCTAssertEqual(samples.prefix(2).map(\.quantity.value), [9, 6.67])
        for (first, second) in zip(samples, samples.dropFirst()) {
            XCTAssertLessThanOrEqual(first.end, second.start)
        }
    }

    func testTrack_thatIsAPartOfALongerOne_beginsWithItsFirstCount() throws {
        let part = lap(
            "00:00", seconds: 60, meters: 300,
            [("00:00", 42_013.9), ("00:30", 42_160), ("01:00", 42_313.9)])

        let samples = try WorkoutFile.read(file(part)).samples

        XCTAssertEqual(samples.sum(.distanceCycling), 300, accuracy: 0.001)
    }

    func testTrack_withMoreThanTheLaps_staysAsItIs() throws {
        let ride = lap("00:00", seconds: 60, meters: 250, [("00:00", 0), ("01:00", 300)])

        XCTAssertEqual(try WorkoutFile.read(file(ride)).samples.map(\.quantity.value), [300])
    }

    func testSecondActivity_isLeftOut() throws {
        let lap =
            "<Lap StartTime=\"2026-09-21T14:00:00Z\"><TotalTimeSeconds>9</TotalTimeSeconds></Lap>"
        let other = "<Activity Sport=\"Running\">\(lap)\(lap)</Activity>"

        let imported = try WorkoutFile.read(file(lap, rest: other))

        XCTAssertEqual(imported.workout.seconds, 9)
        XCTAssertEqual(imported.workout.events, [])
        XCTAssertEqual(imported.skipped.activities, 1)
    }

    /// A point with a number, and a lap with another.
    private func numbers(_ element: String, _ text: String, ofLap number: String = "9") -> [UInt8] {
        let names = element.split(separator: "/")
        let tags = names.map { "<\($0)>" } + [text] + names.reversed().map { "</\($0)>" }
        return file(
            "<Lap StartTime=\"2026-09-21T14:00:00Z\"><Calories>\(number)</Calories><Track>"
                + "\(point("00:00", tags.joined()))\(point("00:09"))</Track></Lap>")
    }

    func testNumbers_thatAreNone_areCounted() throws {
        let elements = [
            "HeartRateBpm/Value", "Cadence", "DistanceMeters", "Extensions/TPX/Speed",
            "Extensions/TPX/Watts", "Extensions/TPX/RunCadence",
        ]
        for text in ["nan", "INF", "abc", "0x50", "-3", "1 000 0", "1e999", "1e308", "١٢٠"] {
            for element in elements {
                let imported = try WorkoutFile.read(numbers(element, text))
                XCTAssertEqual(imported.samples.map(\.type), [.activeEnergyBurned], element)
                // A cadence on foot is none of a ride, whatever it is.
                let isIgnored = element.hasSuffix("RunCadence") && text == "1e308"
                XCTAssertEqual(imported.skipped.values, isIgnored ? 0 : 1, "\(element) \(text)")
            }
            let lap = try WorkoutFile.read(numbers("Cadence", "80", ofLap: text))
            XCTAssertEqual(lap.skipped.values, 1, "lap \(text)")
        }
        for element in elements {
            let empty = try WorkoutFile.read(numbers(element, " "))
            XCTAssertEqual(empty.skipped, ImportedWorkout.Skipped(), element)
        }
    }

    func testADistance_beyondTheEarth_isLeftOut_andTheOthersAreKept() throws {
        let ride = lap(
            "00:00", seconds: 60, meters: 0, [("00:00", 0), ("00:30", 1e300), ("01:00", 300)])

        let imported = try WorkoutFile.read(file(ride))

        XCTAssertEqual(imported.samples.map(\.quantity.value), [300])
        XCTAssertEqual(imported.skipped.values, 1)
    }

    func testXML_thatIsNotWellFormed_isRefused() throws {
        let corrupt = [
            "<a", "<a>", "<a></b>", "<a b></a>", "<a b=1></a>", "<a b='1></a>", "<a b='<'></a>",
            "<a>&nbsp;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#99999999999;</a>", "<a>&</a>",
            "<a><!-- </a>", "<a><![CDATA[ </a>", "</a>", "<a b='1'c='2'></a>", "<1/>", "< a/>",
            "<a/>b", "<a/><b/>", "<?xml ", "<:/>x", "<a>\u{1}&#1;</a>",
        ]
        for xml in corrupt {
            let body = "<TrainingCenterDatabase>\(xml)</TrainingCenterDatabase>"
            let errors = [message(Array(xml.utf8)), message(Array(body.utf8))]
            for error in errors { XCTAssertTrue(error.contains("file"), "\(xml): \(error)") }
        }
        XCTAssertTrue(message(Array("<a>".utf8) + [0xFF]).contains("file"))
    }

    func testOtherXML_isRefused() throws {
        XCTAssertTrue(message(Array("<html></html>".utf8)).contains("is a web page"))
        XCTAssertTrue(message(Array("<gpx></gpx>".utf8)).contains("is GPX"))
        XCTAssertTrue(message(Array("<kml></kml>".utf8)).contains("is XML, but not TCX"))
        let empty = "<TrainingCenterDatabase/>"
        XCTAssertTrue(message(Array(empty.utf8)).contains("contains no workout"))
    }

    func testTimes_withoutATimeZone_areLocal() throws {
        let lap = """
            <Lap StartTime="2026-09-21T14:00:00"><TotalTimeSeconds>60</TotalTimeSeconds><Track>
            <Trackpoint><Time>2026-09-21T14:00:00.000</Time></Trackpoint>
            <Trackpoint><Time> 2026-09-21T14:00:30.250
            </Time><HeartRateBpm><Value>120</Value></HeartRateBpm></Trackpoint></Track></Lap>
            """
        let summer = LocalCalendar { $0 < Instant(iso8601: "2026-10-25") ?? $0 ? 7_200 : 3_600 }

        let imported = try WorkoutFile.read(file(lap), calendar: summer)

        XCTAssertEqual(imported.workout.start, Instant(iso8601: "2026-09-21T12:00:00Z"))
        XCTAssertEqual(imported.workout.end, Instant(iso8601: "2026-09-21T12:01:00Z"))
        XCTAssertEqual(
            imported.samples.map(\.end), [Instant(iso8601: "2026-09-21T12:00:30.250Z")])
        XCTAssertTrue(imported.hasLocalTimes)
        XCTAssertEqual(imported.skipped, ImportedWorkout.Skipped())
    }

    func testTimes_withATimeZone_areNotLocal() throws {
        let lap = """
            <Lap StartTime="2026-09-21T16:00:00+02:00"><TotalTimeSeconds>60</TotalTimeSeconds>
            <Track>\(point("00:00"))</Track></Lap>
            """
        let calendar = LocalCalendar { _ in 3_600 }

        let imported = try WorkoutFile.read(file(lap), calendar: calendar)

        XCTAssertEqual(imported.workout.start, try at("00:00"))
        XCTAssertFalse(imported.hasLocalTimes)
    }

    func testTCX_inAnyEncoding_isRead() throws {
        let lap =
            "<Lap StartTime=\"2026-09-21T14:00:00Z\"><TotalTimeSeconds>9</TotalTimeSeconds></Lap>"
        let text = String(decoding: file(lap), as: UTF8.self)
            .replacing("Edge &amp;", with: "Läufer-Uhr &amp;")
        for encoding in XMLEncoder.allCases {
            let declared = text.replacing(
                "\"1.0\"?>", with: "\"1.0\" encoding=\"\(encoding.name)\"?>")
            for space in ["", "\n"] {
                let workout = try WorkoutFile.read(
                    encoding.mark + encoding.bytes(space + declared)
                ).workout
                XCTAssertEqual(workout.seconds, 9, "\(encoding)")
                XCTAssertEqual(workout.device?.name, "Läufer-Uhr & Co", "\(encoding)")
            }
        }
    }
}
