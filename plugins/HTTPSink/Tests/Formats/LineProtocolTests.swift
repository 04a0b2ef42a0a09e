import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import HTTPSink

final class LineProtocolTests: XCTestCase {
    private func text(_ records: [Record]) -> String { RequestFormat.influx.body(of: records).text }

    private func tag(_ text: String) -> String {
        var bytes: [UInt8] = []
        LineProtocolText.appendTag(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func heartRate(
        _ quantity: Quantity, device: Device? = nil, source: SourceRevision? = nil
    ) throws -> Record {
        .sample(
            try QuantitySample(
                id: Examples.id(0), type: .heartRate, start: Examples.start, end: Examples.start,
                quantity: quantity, device: device, source: source))
    }

    func testBody_isAPointForEachRecord() throws {
        let origin = "device=D0:11:22:33:44:55,person=ada,source=straps"

        XCTAssertEqual(
            text(try Examples.three()),
            """
            heartRate,\(origin) value=72 1795284900123000000
            deviceState,\(origin) battery=0.87,connection="connected",contact=true,reason="found" \
            1795284900123000000
            stepCount,device=/dev/ttyUSB0,source=foot value=12,duration=5.5 1795284905623000000

            """)
    }

    func testSample_whenNothingElseIsKnown_hasNoTags() throws {
        XCTAssertEqual(
            text([try heartRate(Quantity(1.25, .countPerSecond), device: Device())]),
            "heartRate value=75 1795284900123000000\n")
    }

    func testDevice_whenItHasNoLocalIdentifier_isItsSerialNumberOrItsName() throws {
        let quantity = try Quantity(72, .countPerMinute)
        XCTAssertEqual(
            text([
                try heartRate(quantity, device: Device(name: "n", serial: "s")),
                try heartRate(quantity, device: Device(name: "n", model: "m")),
            ]),
            """
            heartRate,device=s value=72 1795284900123000000
            heartRate,device=n value=72 1795284900123000000

            """)
    }

    func testTag_whenItIsEmpty_isLeftOut() throws {
        let record = try heartRate(
            Quantity(72, .countPerMinute), device: Device(localIdentifier: ""),
            source: SourceRevision(name: ""))
        XCTAssertEqual(text([record]), "heartRate value=72 1795284900123000000\n")
    }

    func testRRInterval_isAtItsLaterBeat() throws {
        let sample = try QuantitySample(
            id: Examples.id(0), type: .rrInterval, start: Examples.start,
            end: Examples.start.adding(nanoseconds: 1_015_625_000),
            quantity: Quantity(1.015625, .second))

        XCTAssertEqual(text([.sample(sample)]), "rrInterval value=1015.625 1795284901138625000\n")
    }

    func testCategory_hasAnIntegerAndItsDuration() throws {
        let origin = "device=D0:11:22:33:44:55,person=ada,source=straps"

        XCTAssertEqual(
            text([try Examples.sleep(), try Examples.highHeartRate()]),
            """
            sleepAnalysis,\(origin) value=4i,duration=1800 1795286700123000000
            highHeartRateEvent value=0i 1795284900123000000

            """)
    }

    func testCorrelation_isAPointForEachMember_andOneRecord() throws {
        let body = RequestFormat.influx.body(of: [try Examples.bloodPressure()])

        XCTAssertEqual(body.count, 1)
        XCTAssertEqual(
            body.text,
            """
            bloodPressureSystolic,device=D0:11:22:33:44:55,person=ada value=120 1795284900123000000
            bloodPressureDiastolic,device=D0:11:22:33:44:55,person=ada value=80 1795284900123000000

            """)
    }

    func testWorkout_isAPointWithItsActivityAndWhatItCameTo() throws {
        XCTAssertEqual(
            text([try Examples.run()]),
            "workout,activity=running,device=D0:11:22:33:44:55,person=ada seconds=580,"
                + "activeEnergyBurned=112.5,heartRate=132,heartRateMinimum=80,"
                + "heartRateMaximum=171 1795285500123000000\n")
        let own = try XCTUnwrap(WorkoutActivity(customName: "stair-run"))
        XCTAssertTrue(
            text([try Examples.run(activity: own)]).hasPrefix("workout,activity=stair-run,"))
    }

    func testTime_mayBeBefore1970() throws {
        let start = Instant(nanosecondsSince1970: -1)
        let sample = try QuantitySample(
            id: Examples.id(0), type: .bodyMass, start: start, end: start,
            quantity: Quantity(80, .kilogram))

        XCTAssertEqual(text([.sample(sample)]), "bodyMass value=80 -1\n")
    }

    func testValue_readsBackTheSame() throws {
        for value in [
            0, -0.0, 0.1 + 0.2, 1e-9, .leastNonzeroMagnitude, 1e22, .greatestFiniteMagnitude, 1 / 3,
        ] {
            let line = text([try heartRate(Quantity(value, .countPerMinute))])
            let number = line.split(separator: " ")[1].dropFirst("value=".count)
            XCTAssertEqual(Double(number)?.bitPattern, value.bitPattern, line)
        }
    }

    func testValue_whenItIsTooLargeForTheCanonicalUnit_isLeftOut() throws {
        let huge = try Quantity(1e308, .countPerSecond)
        let body = RequestFormat.influx.body(of: [try Examples.heartRate(), try heartRate(huge)])

        XCTAssertEqual(body.unsupported, [1])
        XCTAssertEqual(body.count, 1)
        XCTAssertEqual(body.bytes.filter { $0 == UInt8(ascii: "\n") }.count, 1)
    }

    func testEvent_hasTheFieldsThatAreKnown() {
        let state = DeviceState(battery: 0)
        let event = DeviceEvent(
            id: Examples.id(0), at: Examples.start, device: Device(), state: state)

        XCTAssertEqual(text([.event(event)]), "deviceState battery=0 1795284900123000000\n")
    }

    func testEvent_whenNothingIsKnown_isLeftOut() {
        let event = DeviceEvent(
            id: Examples.id(0), at: Examples.start, device: Examples.strap, state: DeviceState())

        XCTAssertEqual(
            RequestFormat.influx.body(of: [.event(event)]),
            RequestBody(bytes: [], count: 0, unsupported: [0]))
    }

    func testField_whenItsTextIsHostile_staysOneText() {
        let event = DeviceEvent(
            id: Examples.id(0), at: Examples.start, device: Device(), state: DeviceState(),
            reason: "a\\b \"c\",d=e\nf\\")

        XCTAssertEqual(
            text([.event(event)]),
            "deviceState reason=\"a\\\\b \\\"c\\\",d=e f\\\\\" 1795284900123000000\n")
    }

    func testTag_escapesSeparators() {
        XCTAssertEqual(tag("a,b=c d"), "a\\,b\\=c\\ d")
        XCTAssertEqual(tag("\"é\" 💓"), "\"é\"\\ 💓")
    }

    func testTag_whenItHasControlCharacters_hasSpaces() {
        XCTAssertEqual(tag("a\nb\r\nc\u{0}\u{7F}"), "a\\ b\\ \\ c\\ \\ ")
    }

    func testTag_keepsABackslashOnlyBeforeAnOrdinaryCharacter() {
        XCTAssertEqual(tag("a\\b"), "a\\b")
        XCTAssertEqual(tag("a\\"), "a/")
        XCTAssertEqual(tag("a\\\\b"), "a/\\b")
        XCTAssertEqual(tag("a\\,b\\=c\\ d\\\n"), "a/\\,b/\\=c/\\ d/\\ ")
    }

    func testBody_whenTextsAreHostile_hasOneLineForEachRecord() throws {
        let lines = text(try Examples.hostile()).split(
            separator: "\n", omittingEmptySubsequences: false)

        XCTAssertEqual(lines.count, Examples.hostileTexts.count + 1)
        for (index, line) in lines.dropLast().enumerated() {
            XCTAssert(line.hasPrefix("heartRate,device="), "\(index)")
            XCTAssert(line.hasSuffix(" value=\(60 + index) 1795284900123000000"), "\(index)")
            XCTAssertLessThan(line.utf8.count, 4_096)
        }
    }

    /// InfluxDB takes a backslash for itself unless a separator follows; others take two for one.
    func testTag_ofRandomText_isReadAlikeByReadersThatDiffer() throws {
        let alphabet = ["\\", "\\", ",", "=", " ", "a", "\"", "\n", "é"]
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 * FuzzFactor.current {
            let text = (0..<Int.random(in: 1...8, using: &random))
                .map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }.joined()
            let expected = try Examples.tag(text)

            let written = tag(text)

            for escapable in [",= ", ",= \\"] {
                XCTAssertEqual(read(written, escapable: escapable), expected, written)
            }
        }
    }

    /// Reads a tag up to its end; nil when a separator stands inside.
    private func read(_ tag: String, escapable: String) -> String? {
        var result = ""
        var rest = Array((tag + ",").unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.first, escapable.unicodeScalars.contains(next) {
                result.unicodeScalars.append(rest.removeFirst())
            } else if ",= ".unicodeScalars.contains(scalar) {
                return rest.isEmpty ? result : nil
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return nil
    }
}
