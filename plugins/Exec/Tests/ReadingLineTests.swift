import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import Exec

final class ReadingLineTests: XCTestCase {
    private func reading(_ line: String) throws -> Reading {
        guard case .readings(let readings) = try decode(line).content, let first = readings.first
        else { throw NotAReading() }
        return first
    }

    private struct NotAReading: Error {}

    func testCounter_hasItsRangeAndUnit() throws {
        XCTAssertEqual(
            try reading(#"{"reading":"counter","type":"stepCount","value":1234,"modulus":65536}"#),
            .counter(
                CounterReading(.stepCount, value: 1234, range: .rollsOver(at: 65_536), unit: .count)
            ))
        XCTAssertEqual(
            try reading(
                #"{"value":8,"unit":"m","countsPerUnit":16,"saturates":255,"type":"distanceWalkingRunning","reading":"counter"}"#
            ),
            .counter(
                CounterReading(
                    .distanceWalkingRunning, value: 8, range: .saturates(at: 255), unit: .meter,
                    countsPerUnit: 16)))
    }

    func testInstant_hasTheTimeOfTheDevice() throws {
        let heartRate = try Quantity(72, Unit(parsing: "count/min"))
        func expected(_ clock: MeasurementTime.Clock, _ sequence: UInt64? = nil) -> Reading {
            .instant(
                .heartRate, heartRate, measured: MeasurementTime(clock, sequence: sequence))
        }
        let start = #"{"reading":"instant","type":"heartRate","value":72"#
        let noon = try XCTUnwrap(Instant(iso8601: "2026-11-21T12:00:00Z"))
        XCTAssertEqual(try reading(start + "}"), .instant(.heartRate, heartRate))
        XCTAssertEqual(
            try reading(start + #","time":"2026-11-21T13:00:00+01:00","sequence":7}"#),
            expected(.utc(noon), 7))
        XCTAssertEqual(
            try reading(start + #","time":"2026-11-21T12:00:00"}"#), expected(.local(noon)))
        XCTAssertEqual(
            try reading(start + #","age":1.5}"#), expected(.age(nanoseconds: 1_500_000_000)))
    }

    func testCorrelation_hasTheValuesMeasuredTogether() throws {
        let members = [
            CorrelationReading.Member(
                .bloodPressureSystolic, try Quantity(120, .millimeterOfMercury)),
            CorrelationReading.Member(
                .bloodPressureDiastolic, try Quantity(10.5, .kilopascal)),
        ]
        let values =
            #""members":[{"type":"bloodPressureSystolic","value":120},"#
            + #"{"unit":"kPa","value":10.5,"arm":"left","type":"bloodPressureDiastolic"}]"#
        XCTAssertEqual(
            try reading(#"{"reading":"correlation","type":"bloodPressure",\#(values)}"#),
            .correlation(CorrelationReading(.bloodPressure, members)))
        XCTAssertEqual(
            try reading(#"{\#(values),"age":1.5,"type":"bloodPressure","reading":"correlation"}"#),
            .correlation(
                CorrelationReading(
                    .bloodPressure, members,
                    measured: MeasurementTime(.age(nanoseconds: 1_500_000_000)))))
    }

    func testCorrelation_thatIsIncompleteOrTooLong_isRefused() {
        let member = #"{"type":"heartRate","value":72}"#
        func members(_ count: Int) -> String {
            (0..<count).map { _ in member }.joined(separator: ",")
        }
        for (rest, problem) in [
            (#""type":"bloodPressure""#, "members"),
            (#""members":[\#(member)]"#, "type"),
            (#""type":"bloodPressure","members":[]"#, "{"),
            (#""type":"bloodPressure","members":\#(member)"#, "members"),
            (#""type":"bloodPressure","members":[\#(members(65))]"#, "members"),
            (#""type":"bloodPressure","members":[{"value":72}]"#, "type"),
            (#""type":"bloodPressure","members":[{"type":"heartRate"}]"#, "value"),
            (
                #""type":"bloodPressure","members":[{"type":"heartRate","value":1,"value":2}]"#,
                "value"
            ),
            (#""type":"bloodPressure","members":[{"type":"heartRates","value":1}]"#, "type"),
            (#""type":"heartRate","members":[\#(member)]"#, "bloodPressure"),
            (#""type":"bloodPressures","members":[\#(member)]"#, "type"),
        ] {
            XCTAssertThrowsError(try reading(#"{"reading":"correlation",\#(rest)}"#), rest) {
                XCTAssertTrue("\($0)".contains(problem), "\(rest): \($0)")
                XCTAssertFalse("\($0)".contains("72"), "\($0)")
            }
        }
        XCTAssertThrowsError(
            try reading(#"{"reading":"instant","type":"bloodPressure","value":72}"#)
        ) {
            XCTAssertTrue("\($0)".contains("a quantity type"), "\($0)")
        }
    }

    func testOtherReadings() throws {
        XCTAssertEqual(
            try reading(#"{"reading":"beats","ticks":[1041, 1030],"perSecond":1024}"#),
            .beats(BeatsReading(ticks: [1041, 1030], perSecond: 1024)))
        XCTAssertEqual(
            try reading(
                #"{"reading":"waveform","type":"electrocardiogramVoltage","values":[-0.5,1],"#
                    + #""unit":"mV","perSecond":250,"deviceTime":1.000000001}"#),
            .waveform(
                WaveformReading(
                    .electrocardiogramVoltage, values: [-0.5, 1], unit: try Unit(parsing: "mV"),
                    perSecond: 250, deviceTime: 1_000_000_001)))
        XCTAssertEqual(
            try decode(#"{"reading":"state","contact":false,"battery":0.5}"#).content,
            .readings([.state(.contact(false)), .state(.battery(0.5))]))
        XCTAssertEqual(
            try reading(#"{"reading":"state","contact":null}"#), .state(.contact(nil)))
        XCTAssertEqual(
            try reading(
                #"{"reading":"identity","manufacturer":"A","model":null,"serial":"\u0042"}"#),
            .identity(Device(manufacturer: "A", serial: "B")))
        var metadata = Metadata()
        try metadata.set(1, for: .heartRateSensorLocation)
        XCTAssertEqual(
            try reading(
                #"{"reading":"metadata","type":"heartRate","metadata":{"HKHeartRateSensorLocation":1}}"#
            ), .metadata(metadata, for: .heartRate))
        XCTAssertEqual(try decode(#"{"discarded":"damaged"}"#).content, .dropped(.damaged))
    }

    func testLine_hasItsDeviceNumberAndID() throws {
        let line = try decode(
            #"{"seq":12,"session":"s","device":"left","id":"0198f3c2-0000-8000-8000-000000000001","reading":"state","contact":true}"#
        )
        XCTAssertEqual(line.device, "left")
        XCTAssertEqual(line.number, ReadingLineNumber(session: "s", sequence: 12))
        XCTAssertEqual(line.id?.description, "0198f3c2-0000-8000-8000-000000000001")
    }

    func testRecord_isDecodedWithAndWithoutID() throws {
        let sample =
            #""type":"heartRate","start":"2026-11-21T12:00:00Z","end":"2026-11-21T12:00:00Z","value":72,"unit":"count/min","device":{"name":"x"}}"#
        let own = try decode(#"{"id":"0198f3c2-0000-8000-8000-000000000001","seq":3,"# + sample)
        guard case .record(let record) = own.content else { return XCTFail("\(own)") }
        XCTAssertEqual(record.id, own.id)
        XCTAssertEqual(own.number?.sequence, 3)
        XCTAssertEqual(record.device?.name, "x")
        let new = try decode(#"{"seq":3,"# + sample)
        guard case .record(let made) = new.content else { return XCTFail("\(new)") }
        let start = try XCTUnwrap(Instant(iso8601: "2026-11-21T12:00:00Z"))
        XCTAssertEqual(made.id, .make(start: start, device: "test", stream: "", key: 3))
        XCTAssertNil(new.id)
    }

    func testErrors_nameTheKeyAndTheNumberButNoValue() {
        let cases: [(line: String, problem: String, reason: DropReason)] = [
            (#"{"reading":"secret"}"#, "reading must be one of", .invalid),
            (#"{"reading":"instant","type":"secret","value":1}"#, "unknown type", .unknown),
            (
                #"{"reading":"instant","type":"heartRate","value":"secret"}"#,
                "value must be a number", .invalid
            ),
            (#"{"reading":"instant","type":"heartRate"}"#, "the key value is missing", .invalid),
            (
                #"{"reading":"instant","type":"heartRate","value":1,"unit":"secret"}"#,
                "unit must be", .invalid
            ),
            (
                #"{"reading":"instant","type":"heartRate","value":1,"time":"secret"}"#,
                "time must be a time", .invalid
            ),
            (
                #"{"reading":"instant","type":"heartRate","value":1,"time":"2026-11-21"}"#,
                "time must be a time", .invalid
            ),
            (#"{"reading":"instant","value":1,"age":-1}"#, "age must be seconds", .invalid),
            (
                #"{"reading":"instant","value":1,"age":1,"time":"2026-11-21T12:00:00Z"}"#,
                "time must be the only one", .invalid
            ),
            (
                #"{"reading":"counter","type":"stepCount","value":1,"modulus":0}"#,
                "modulus must be a number above 0", .invalid
            ),
            (
                #"{"reading":"counter","type":"stepCount","value":1,"modulus":1,"saturates":1}"#,
                "saturates must be the only one", .invalid
            ),
            (
                #"{"reading":"beats","ticks":[],"perSecond":1}"#, "ticks must be a list",
                .invalid
            ),
            (#"{"reading":"beats","ticks":[1.5],"perSecond":1}"#, "ticks must be a list", .invalid),
            (
                #"{"reading":"waveform","type":"heartRate","values":{},"perSecond":1}"#,
                "values must be a list of 1 to 1024 numbers", .invalid
            ),
            (
                #"{"reading":"waveform","type":"heartRate","values":[1],"perSecond":1,"age":1,"deviceTime":1}"#,
                "deviceTime must be the only one of time, age and deviceTime", .invalid
            ),
            (
                #"{"reading":"waveform","type":"heartRate","values":[],"perSecond":1}"#,
                "values must be a list of 1 to 1024 numbers", .invalid
            ),
            (
                #"{"reading":"waveform","type":"heartRate","values":[1],"deviceTime":-1}"#,
                "deviceTime must be a number of seconds from 0 to 10000000000", .invalid
            ),
            (#"{"reading":"state"}"#, "the key contact is missing", .invalid),
            (#"{"reading":"state","battery":97}"#, "battery must be from 0 to 1", .invalid),
            (
                #"{"reading":"state","contact":true,"contact":true}"#, "duplicate key contact",
                .invalid
            ),
            (
                #"{"reading":"state","contact":true,"device":"\u0007secret"}"#,
                "device must be a string", .invalid
            ),
            (
                #"{"reading":"state","contact":true,"session":""}"#, "session must be a string",
                .invalid
            ),
            (#"{"kind":"secret"}"#, "kind must be", .unknown),
            (#"{"x":1}"#, "the key value is missing", .invalid),
            ("secret", "the line is not valid JSON", .damaged),
            (#"{"reading":"state","contact":true} secret"#, "the line is not valid JSON", .damaged),
            (
                #"{"x":"# + String(repeating: "[", count: 100) + "}", "the line is nested deeper",
                .damaged
            ),
        ]
        for (line, problem, reason) in cases {
            XCTAssertThrowsError(try decode(line), line) { error in
                guard let error = error as? ReadingLineError else { return XCTFail("\(error)") }
                XCTAssertTrue("\(error)".hasPrefix(problem), "\(line): \(error)")
                XCTAssertFalse("\(error)".contains("secret"), "\(error)")
                XCTAssertEqual(error.dropReason, reason, line)
            }
        }
    }

    func testError_hasTheNumberOfTheLine() {
        for line in [
            #"{"seq":9,"reading":"instant"}"#, #"{"reading":"x","seq":9}"#,
            #"{"seq":9,"reading":"instant" garbage"#,
        ] {
            XCTAssertThrowsError(try decode(line)) {
                XCTAssertEqual(($0 as? ReadingLineError)?.sequence, 9, line)
            }
        }
        for line in [#"{"seq":-1,"reading":"x"}"#, #"{"seq":1.5}"#, #"{"seq":"9"}"#, "9"] {
            XCTAssertThrowsError(try decode(line)) {
                XCTAssertNil(($0 as? ReadingLineError)?.sequence, line)
            }
        }
    }

    func testDecode_ofALineOverTheLimit_throws() {
        let line = #"{"x":""# + String(repeating: "a", count: 65_536) + #""}"#
        XCTAssertThrowsError(try decode(line)) {
            XCTAssertEqual(($0 as? ReadingLineError)?.dropReason, .tooLong)
        }
    }

    static let samples = [
        #"{"reading":"counter","type":"stepCount","value":1234,"modulus":65536,"unit":"count","countsPerUnit":2,"seq":1}"#,
        #"{"reading":"instant","type":"heartRate","value":72.5,"unit":"count/min","time":"2026-11-21T12:00:00Z","sequence":3}"#,
        #"{"reading":"beats","ticks":[1041,1030],"perSecond":1024,"age":2,"device":"\u00e4 \ud83d\ude00"}"#,
        #"{"reading":"waveform","type":"electrocardiogramVoltage","values":[1,2],"perSecond":2,"deviceTime":3}"#,
        #"{"reading":"state","contact":false,"battery":0.5,"session":"a","seq":4}"#,
        #"{"reading":"identity","name":"n","manufacturer":"m","model":"o","serial":"1"}"#,
        #"{"reading":"metadata","type":"heartRate","metadata":{"HKHeartRateSensorLocation":1}}"#,
        #"{"id":"0198f3c2-0000-8000-8000-000000000001","type":"heartRate","start":"2026-11-21T12:00:00Z","end":"2026-11-21T12:00:00Z","value":72,"unit":"count/min","seq":7}"#,
    ]

    func testDecode_ofEveryTruncation_throws() {
        for line in Self.samples {
            XCTAssertNoThrow(try decode(line))
            let bytes = Array(line.utf8)
            for count in 0..<bytes.count {
                XCTAssertThrowsError(try decode(Array(bytes[..<count])), "\(line) cut at \(count)")
            }
        }
    }
}
