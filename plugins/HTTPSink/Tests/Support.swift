import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import XCTest

@testable import HTTPSink

/// Records for the tests of all formats.
enum Examples {
    static let start = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)
    static let strap = Device(
        name: "Polar H10 8A2F", manufacturer: "Polar Electro Oy", model: "H10",
        hardwareVersion: "00760690.03", firmwareVersion: "5.0.0",
        localIdentifier: "D0:11:22:33:44:55", serial: "8A2F1234")
    static let straps = SourceRevision(name: "straps", version: "1.0.0")

    static func id(_ number: Int) -> RecordID {
        RecordID(high: 0x0198_F3C2_0123_8ABC, low: 0x9DEF_00FF_0000_0000 + UInt64(number))
    }

    static func heartRate(_ number: Int = 0, _ value: Double = 72) throws -> Record {
        .sample(
            try QuantitySample(
                id: id(number), type: .heartRate, start: start, end: start,
                quantity: Quantity(value, .countPerMinute), person: "ada", device: strap,
                source: straps, metadata: Metadata(["HKHeartRateSensorLocation": .number(1)])))
    }

    static func steps(_ number: Int = 1) throws -> Record {
        .sample(
            try QuantitySample(
                id: id(number), type: .stepCount, start: start,
                end: start.adding(nanoseconds: 5_500_000_000), quantity: Quantity(12, .count),
                device: Device(localIdentifier: "/dev/ttyUSB0"),
                source: SourceRevision(name: "foot")))
    }

    static func event(_ number: Int = 2) -> Record {
        .event(
            DeviceEvent(
                id: id(number), at: start, device: strap, source: straps, person: "ada",
                state: DeviceState(connection: .connected, contact: true, battery: 0.87),
                reason: "found"))
    }

    /// The deletion of a record.
    static func deletion(_ number: Int, of type: String? = "heartRate") -> Record {
        .deletion(DeletedRecord(id: id(number), typeName: type, at: start, store: 0xF3))
    }

    static func three() throws -> [Record] { [try heartRate(), event(), try steps()] }

    /// Half an hour of deep sleep.
    static func sleep(_ number: Int = 3) throws -> Record {
        .category(
            try CategorySample(
                id: id(number), type: .sleepAnalysis, start: start,
                end: start.adding(nanoseconds: 1_800_000_000_000), value: 4, person: "ada",
                device: strap, source: straps))
    }

    /// An event of the heart, which has no value.
    static func highHeartRate(_ number: Int = 4) throws -> Record {
        .category(
            try CategorySample(
                id: id(number), type: .highHeartRateEvent, start: start, end: start, value: 0))
    }

    /// A blood pressure of 120 and 80 mmHg, whose members have the next two ids.
    static func bloodPressure(_ number: Int = 5) throws -> Record {
        func member(
            _ number: Int, _ type: QuantityType, _ value: Double
        ) throws -> Correlation.Member {
            .quantity(
                try QuantitySample(
                    id: id(number), type: type, start: start, end: start,
                    quantity: Quantity(value, .millimeterOfMercury), person: "ada", device: strap))
        }
        return .correlation(
            try Correlation(
                id: id(number), type: .bloodPressure, start: start, end: start,
                samples: [
                    member(number + 1, .bloodPressureSystolic, 120),
                    member(number + 2, .bloodPressureDiastolic, 80),
                ], person: "ada", device: strap))
    }

    /// A meal of some energy, an oxygen saturation that does not belong there, and a mindful moment.
    static func meal(_ number: Int = 10, saturation: Double = 0.97) throws -> Record {
        let energy = try QuantitySample(
            id: id(number + 1), type: .dietaryEnergyConsumed, start: start,
            end: start.adding(nanoseconds: 250_000_000), quantity: Quantity(640, .kilocalorie))
        let oxygen = try QuantitySample(
            id: id(number + 2), type: .oxygenSaturation, start: start, end: start,
            quantity: Quantity(saturation, .percent))
        let calm = try CategorySample(
            id: id(number + 3), type: .appleStandHour, start: start, end: start, value: 1)
        return .correlation(
            try Correlation(
                id: id(number), type: .food, start: start, end: start,
                samples: [.quantity(energy), .quantity(oxygen), .category(calm)]))
    }

    /// Ten minutes of running with a pause of twenty seconds.
    static func run(
        _ number: Int = 20, activity: WorkoutActivity = WorkoutActivity(.running)
    ) throws -> Record {
        let pause = start.adding(nanoseconds: 100_000_000_000)
        let total = try WorkoutTotal(
            .heartRate, average: Quantity(132, .countPerMinute),
            minimum: Quantity(80, .countPerMinute), maximum: Quantity(171, .countPerMinute))
        return .workout(
            try Workout(
                id: id(number), activity: activity, start: start,
                end: start.adding(nanoseconds: 600_000_000_000),
                events: [
                    WorkoutEvent(.pause, at: pause),
                    WorkoutEvent(.resume, at: pause.adding(nanoseconds: 20_000_000_000)),
                ],
                totals: [
                    total, WorkoutTotal(.activeEnergyBurned, sum: Quantity(112.5, .kilocalorie)),
                ], person: "ada", device: strap))
    }

    /// All that is neither a sample of a quantity nor an event.
    static func otherKinds() throws -> [Record] {
        [try sleep(), try highHeartRate(), try bloodPressure(), try meal(), try run()]
    }

    /// A sample of every type, in the unit that people read, at its own time.
    static func everyType(from first: Instant = start) throws -> [Record] {
        try QuantityType.all.enumerated().map { index, type in
            let start = first.adding(nanoseconds: Int64(index) * 1_000_000_001)
            let value = value(of: type)
            let converted = try Quantity(value, type.canonicalUnit).value(in: type.displayUnit)
            return .sample(
                try QuantitySample(
                    id: id(index), type: type, start: start,
                    end: type.isCumulative ? start.adding(nanoseconds: 250_000_001) : start,
                    quantity: Quantity(converted, type.displayUnit), person: "ada",
                    device: strap, source: straps))
        }
    }

    /// A plausible value in the canonical unit.
    static func value(of type: QuantityType) -> Double {
        guard let range = type.plausibleRange else { return 1 }
        return range.lowerBound + (range.upperBound - range.lowerBound) * 0.57
    }

    /// Texts that break what is written without care.
    static let hostileTexts = [
        "a \"quoted\" name", "two\nlines\r\n", "comma,equals=space ", "back\\slash", "end\\",
        "\\", "\\\\,x=1", "a\\,b", "a\\ b", "\u{0}\u{1}\u{1B}[31m\u{7F}", "тест 心拍 💓 e\u{301}",
        "#no comment", "{\"id\":1}],\"events\":[", "</script>", "\u{2028}line", "'; DROP",
        String(repeating: "💓", count: 16_384),
    ]

    /// A sample for each hostile text, as all that is a text.
    static func hostile(at start: Instant = start) throws -> [Record] {
        try hostileTexts.enumerated().map { index, text in
            .sample(
                try QuantitySample(
                    id: id(index), type: .heartRate, start: start, end: start,
                    quantity: Quantity(Double(60 + index), .countPerMinute), person: "ада-9_x.y",
                    device: Device(
                        name: text, manufacturer: text, model: text, hardwareVersion: text,
                        firmwareVersion: text, softwareVersion: text, localIdentifier: text,
                        serial: text), source: SourceRevision(name: text, version: text),
                    metadata: Metadata([
                        String(text.prefix(8)): .string(String(text.prefix(99)))
                    ])))
        }
    }

    /// The tag of a hostile text: without what the line protocol cannot write.
    static func tag(_ text: String) throws -> String {
        let kept = try XCTUnwrap(Device(name: text).name)  // devices' texts have a limit
        let spaced = kept.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        var tag = ""
        for (index, scalar) in spaced.enumerated() {
            let next = index + 1 < spaced.count ? spaced[index + 1] : " "
            let isAmbiguous = scalar == "\\" && [",", "=", " ", "\\"].contains(next)
            tag.unicodeScalars.append(isAmbiguous ? "/" : scalar)
        }
        return tag
    }

    /// The lines as they are read from a file.
    static func lines(_ records: [Record]) -> RecordLines {
        RecordLines(RecordBatch(records).lines.bytes)
    }

    static func lines(_ lines: [String]) -> RecordLines {
        RecordLines(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}

extension RequestBody {
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body as JSON.
    func json() throws -> NSDictionary {
        let object = try JSONSerialization.jsonObject(with: Data(bytes))
        return try XCTUnwrap(object as? NSDictionary)
    }

    /// The resources of a Bundle's entries.
    func resources() throws -> [NSDictionary] {
        let entries = try json()["entry"] as? [NSDictionary] ?? []
        return try entries.map { try XCTUnwrap($0["resource"] as? NSDictionary) }
    }
}

/// Programs that a test runs.
enum Program {
    /// Starts a program; skips the test when there is none on this machine.
    static func start(_ words: [String], install: String) throws -> InteractiveProgram {
        let own = ProcessInfo.processInfo.environment
        let kept = own.filter { ["PATH", "HOME"].contains($0.key) }
        do {
            return try InteractiveProgram(words, environment: kept)
        } catch let failure as ProgramFailure
            where failure.description.contains("No such file or directory")
        {
            throw XCTSkip("\(words[0]) is missing; \(install)")
        }
    }

    /// Runs a program to its end and returns its output.
    static func run(_ words: [String], install: String) async throws -> String {
        try await start(words, install: install).waitForEnd()
    }

    /// Sends a request and returns the body and the status of the response.
    static func curl(_ arguments: [String]) async throws -> (body: String, status: String) {
        let answer = try await run(
            ["curl", "-sS", "--max-time", "30", "-w", "\n%{http_code}"] + arguments,
            install: "apt-get install curl")
        let end = answer.lastIndex(of: "\n") ?? answer.startIndex
        return (String(answer[..<end]), String(answer[end...].dropFirst()))
    }
}
