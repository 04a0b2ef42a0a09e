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

    func testDistance_thatFallsBack_startsAgain() throws {
        let points = [("00", 0.0), ("10", 30), ("20", 60), ("30", 5), ("40", 25)].map {
            point("00:\($0.0)", "<DistanceMeters>\($0.1)</DistanceMeters>")
        }.joined()
        let lap = "<Lap StartTime=\"2026-09-21T14:00:00Z\"><Track>\(points)</Track></Lap>"

        let samples = try WorkoutFile.read(file(lap)).samples

        XCTAssertEqual(samples.map(\.quantity.value), [30, 30, 20])
        XCTAssertEqual(samples.map(\.end), [try at("00:10"), try at("00:20"), try at("00:40")])
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

    func testNumbers_thatAreNone_areNotTaken() throws {
        for text in ["nan", "inf", "0x50", "-3", "", "1 000 0", "1e999", "١٢٠"] {
            let rate = "<HeartRateBpm><Value>\(text)</Value></HeartRateBpm>"
            let lap =
                "<Lap StartTime=\"2026-09-21T14:00:00Z\"><Track>\(point("00:00", rate))"
                + "\(point("00:09"))</Track></Lap>"
            XCTAssertEqual(try WorkoutFile.read(file(lap)).samples, [], text)
        }
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
        XCTAssertTrue(message(Array("<html></html>".utf8)).contains("unknown file format"))
        XCTAssertTrue(message(Array("<gpx></gpx>".utf8)).contains("GPX requires positions"))
        let empty = "<TrainingCenterDatabase/>"
        XCTAssertTrue(message(Array(empty.utf8)).contains("contains no workout"))
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
