import HealthModel
import XCTest

/// The tests with faults see what would be wrong.
final class KeptNumbersTests: XCTestCase {
    /// The two samples of a line, when it was read a while after it was sent.
    private func line(
        _ number: Int, of devices: NumberedDevices, afterSeconds seconds: Double = 1,
        steps: Double = 1, key: UInt64 = 0
    ) throws -> [Record] {
        let sent = try XCTUnwrap(devices.time(ofLine: min(number, devices.lineCount - 1)))
        let offset = Int64(seconds * 1e9) + Int64(number) * 1_000
        let values: [(QuantityType, Double, HealthModel.Unit)] = [
            (.stepCount, steps, .count), (.distanceWalkingRunning, Double(number) / 100, .meter),
        ]
        return try values.enumerated().map { index, value in
            let end = sent.adding(nanoseconds: offset + Int64(index))
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: end, device: "d", stream: value.0.name, key: key),
                    type: value.0, start: end.adding(nanoseconds: -1_000), end: end,
                    quantity: Quantity(value.1, value.2)))
        }
    }

    func testWhatWasSent_hasNoFindings() async throws {
        let devices = try NumberedDevices()
        try await devices.send(lines: 4, packets: 0)
        let kept = KeptNumbers(try (1...3).flatMap { try line($0, of: devices) }, of: devices)
        XCTAssertEqual(kept.findings, [])
        XCTAssertEqual(kept.lines, [1, 2, 3])
    }

    func testWhatCannotBe_isFound() async throws {
        let devices = try NumberedDevices()
        try await devices.send(lines: 4, packets: 0)
        let good = try line(2, of: devices)
        let wrong: [(String, [Record])] = [
            ("kept twice", try good + line(2, of: devices, afterSeconds: 2, key: 1)),
            ("at one time", try good + line(2, of: devices, key: 1)),
            ("is not one step", try line(2, of: devices, steps: 2)),
            ("never sent", try line(9, of: devices)),
            ("was sent at", try line(2, of: devices, afterSeconds: -5)),
            ("half of a line is kept", [good[0]]),
            ("half of a line is kept", [good[1]]),
        ]
        for (finding, records) in wrong {
            let findings = KeptNumbers(records, of: devices).findings
            XCTAssertTrue(findings.contains { $0.contains(finding) }, "\(finding): \(findings)")
        }
    }
}
