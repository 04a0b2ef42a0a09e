import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import Exec

/// Runs the programs in Examples/.
final class ExamplesTests: XCTestCase {
    private func example(_ name: String) -> String {
        let tests = #filePath.split(separator: "/").dropLast(2)
        return "/" + tests.joined(separator: "/") + "/Examples/\(name)"
    }

    private static func page() throws -> String {
        let root = #filePath.split(separator: "/").dropLast(4)
        let path = "/" + root.joined(separator: "/") + "/Sources/pulsegate/Manual/programs.md"
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    func testPage_hasAFirstSourceThatWorks_andLinesThatAreRight() async throws {
        let page = try Self.page()
        let blocks = page.split(separator: "```sh\n").dropFirst()
        let script = try XCTUnwrap(blocks.first?.split(separator: "```").first)
        let fixture = try ProgramFixture()
        let sink = InMemorySink()
        let source = try fixture.source(script: String(script))
        _ = try await fixture.run(["own": source], into: sink) { await sink.waitForSamples(1) }
        XCTAssertEqual(sink.samples.first?.quantity.value, 72)
        // A block of Python is no line of JSON; it is a file, see below.
        let prose = page.replacing(/```python\n[\s\S]*?```/, with: "")
        let lines = prose.matches(of: #/\{"(reading|discarded)":[^`']*\}/#)
        XCTAssertGreaterThan(lines.count, 1)
        for line in lines {
            XCTAssertNoThrow(try decode(String(line.output.0)), "\(line.output.0)")
        }
    }

    func testPage_showsTheDecoder() throws {
        let script = try String(contentsOfFile: example("step_decoder.py"), encoding: .utf8)
        XCTAssertTrue(try Self.page().contains("```python\n\(script)```\n"))
    }

    func testTemperature_isReportedWheneverItChanges() async throws {
        let fixture = try ProgramFixture()
        try fixture.folder.write(Array("36.4\n".utf8), to: "wrist")
        let sink = InMemorySink()
        let source = try fixture.source(
            command: [example("temperature.sh"), fixture.folder.path("wrist")])
        _ = try await fixture.run(["own": source], into: sink) {
            await sink.waitForSamples(1)
            _ = try? fixture.folder.write(Array("36.6\n".utf8), to: "wrist")
            await sink.waitForSamples(2)
        }
        XCTAssertEqual(sink.samples.map(\.quantity.value), [36.4, 36.6])
        XCTAssertEqual(sink.samples.first?.device?.model, "Wrist")
    }

    func testTable_getsEverySampleOnce() async throws {
        let fixture = try ProgramFixture()
        let values =
            #"for i in 61 62 63; do echo '{"reading":"instant","type":"heartRate","value":'$i'}'; done; cat > /dev/null"#
        let source = try fixture.source(script: values)
        let object = try fixture.settings(
            command: [example("csv_sink.py"), fixture.folder.path("samples.csv")]
        ).object(keys: ["use"] + ExecSink.factory.keys)
        let sink = try ExecSink.factory.make(object, fixture.context)
        let counts = InMemorySink()
        let ledger = try await fixture.run(["own": source], into: [sink, counts]) {
            await counts.waitForSamples(3)
        }
        // The same batch again, to a new process.
        try await sink.write(counts.records)
        let rows = fixture.text(of: "samples.csv").split(whereSeparator: \.isNewline)
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(rows.map { $0.split(separator: ",")[3] }, ["61", "62", "63"])
        await (sink as? ExecSink)?.close()
    }

    func testResend_storesEachValueOnceByItsTime() async throws {
        let fixture = try ProgramFixture()
        let clock = SystemClock()
        let now = clock.epoch().instant(at: clock.now())
        let times = (1...3).map { now.adding(nanoseconds: Int64($0 - 4) * 60_000_000_000) }
        let lines = times.map { #"{"time":"\#($0)","kg":70}"# + "\n" }.joined()
        try fixture.folder.write(Array(lines.utf8), to: "values")
        let sink = InMemorySink()
        for count in 1...2 {
            let source = try fixture.source(command: [example("resend.py"), fixture.folder.path])
            _ = try await fixture.run(["own": source], into: sink) {
                await sink.waitForSamples(3)
                // All of it: the program must not write the file after it is removed below.
                await fixture.wait(for: "acknowledged", text: "3")
            }
            XCTAssertEqual(Set(sink.samples.map(\.start)), Set(times))
            // The program forgets its own state: the ids are the same.
            try fixture.folder.remove("acknowledged")
            XCTAssertEqual(Set(sink.samples.map(\.id)).count, 3, "run \(count)")
        }
    }

    func testBridge_runsWherePylslIs() async throws {
        let fixture = try ProgramFixture()
        let probe = try fixture.source(command: ["python3", "-c", "import pylsl"])
        do { try await probe.run(into: RecordingInlet()) } catch {
            guard "\(error)".contains("status 0") else {
                throw XCTSkip("pylsl is missing; pip install pylsl")
            }
        }
        let line = #"{"type":"heartRate","value":72,"device":{"localIdentifier":"x"}}"#
        let script = "echo '\(line)' | \(example("lsl_bridge.py"))"
        do { try await fixture.source(script: script).run(into: RecordingInlet()) } catch {
            XCTAssertTrue("\(error)".contains("status 0"), "\(error)")
        }
    }
}
