import Bluetooth
import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

/// The examples of the pages for authors, which are files in this folder, do what the pages say.
final class PageExampleTests: XCTestCase {
    func testPages_showTheFiles() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let pages = folder.appending(path: "../../../Sources/GatewayCore/GatewayCore.docc")
        for (page, example) in [
            ("AddADevice", "CrankProfile"), ("AddADevice", "StepFrames"),
            ("AddASink", "HeartRateTable"), ("AddAService", "HeartPrinter"),
        ] {
            let file = try String(
                contentsOf: folder.appending(path: "\(example).swift"), encoding: .utf8)
            let text = try String(contentsOf: pages.appending(path: "\(page).md"), encoding: .utf8)
            XCTAssertTrue(text.contains("```swift\n\(file)```\n"), "\(page).md: \(example)")
        }
    }

    // MARK: AddADevice.md

    func testFrames_areFoundInNoise() {
        var frames = StepFrames()
        let steps = AdapterAction.reading(
            .counter(CounterReading(.stepCount, value: 10_000, unit: .count)))
        let frame: [UInt8] = [0xA5, 0x5A, 0x02, 0x10, 0x27, 0x74]
        XCTAssertEqual(
            frames.actions(for: frame + [0xFF] + frame.prefix(3)), [steps, .dropped(.damaged)])
        XCTAssertEqual(frames.actions(for: Array(frame.dropFirst(3))), [steps])
        // Without content, with the right CRC.
        XCTAssertEqual(frames.actions(for: [0xA5, 0x5A, 0x00, 0x00]), [.dropped(.damaged)])
    }

    func testCrank_isACadence_alsoWhenItsNumbersRollOver() throws {
        var decoder = CrankProfile().makeDecoder()
        let (channel, now) = (CrankProfile.measurement, BootInstant(nanoseconds: 1))
        func readings(_ value: [UInt8]) throws -> [Reading] {
            try decoder.decode(value, of: channel, from: Device(), at: now).readings
        }
        let cadence = Reading.instant(.cyclingCadence, try Quantity(60, .countPerMinute))
        XCTAssertEqual(try readings([0xFF, 0xFF, 0x00, 0xFE]), [])
        XCTAssertEqual(try readings([0x00, 0x00, 0x00, 0x02]), [cadence])
        XCTAssertEqual(try readings([0x00, 0x00, 0x00, 0x02]), [])
        XCTAssertEqual(try readings([0x02, 0x00, 0x00, 0x0A]), [cadence])
    }

    func testCrank_keepsTheContract() {
        let values: [[UInt8]] = [[0x01, 0x00, 0x00, 0x04], [0x02, 0x00, 0x00, 0x08]]
        let findings = GATTProfileConformance.findings(
            for: CrankProfile(), values: [CrankProfile.measurement: values])
        XCTAssertEqual(findings, [])
    }

    // MARK: AddAService.md

    func testPrinter_printsTheNewestRate_andKeepsTheContract() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "rates.txt")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let time = Instant(nanosecondsSince1970: 1_000_000_000)
        let record = Record.sample(
            try QuantitySample(
                id: RecordID(high: 1, low: 1), type: .heartRate, start: time, end: time,
                quantity: Quantity(71.6, .countPerMinute)))
        let findings = await ServiceConformance.findings(
            showing: [record],
            shown: { try String(contentsOfFile: path, encoding: .utf8).hasSuffix("\n72\n") },
            makeService: {
                HeartPrinter(
                    clock: SystemClock(), output: LineOutput(descriptor: file.fileDescriptor))
            })
        XCTAssertEqual(findings, [])
    }

    // MARK: AddASink.md

    func testTable_keepsTheContract() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "rates.csv")
        let findings = await SinkConformance.findings(
            recognisesDuplicates: false,
            stored: { try String(contentsOfFile: path, encoding: .utf8).count { $0 == "\n" } },
            makeSink: { HeartRateTable(path: path, durability: .powerLoss) })
        XCTAssertEqual(findings, [])
        let nowhere = folder.path("missing/rates.csv")
        let others = await SinkConformance.findingsWhenUnavailable {
            HeartRateTable(path: nowhere, durability: .crash)
        }
        XCTAssertEqual(others, [])
    }

    func testTable_hasTheRatesOfABatch_inBeatsPerMinute() async throws {
        let folder = try TemporaryFolder()
        let sink = HeartRateTable(path: folder.path("rates.csv"), durability: .crash)
        let time = Instant(nanosecondsSince1970: 1_000_000_000)
        let samples = try [
            QuantitySample(
                id: RecordID(high: 1, low: 1), type: .heartRate, start: time, end: time,
                quantity: Quantity(1.2, HealthModel.Unit(parsing: "count/s"))),
            QuantitySample(
                id: RecordID(high: 1, low: 2), type: .bodyMass, start: time, end: time,
                quantity: Quantity(70, .kilogram)),
        ]
        try await sink.write(samples.map { .sample($0) })
        XCTAssertEqual(
            try String(contentsOfFile: folder.path("rates.csv"), encoding: .utf8),
            "00000000-0000-0001-0000-000000000001,1970-01-01T00:00:01.000Z,72.0\n")
    }
}
