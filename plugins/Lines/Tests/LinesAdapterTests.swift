import FoundationEssentials
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Lines

final class LinesAdapterTests: XCTestCase {
    func testHandle_whenStepsAndDistance_readsBoth() throws {
        var adapter = try makeAdapter("steps")
        XCTAssertEqual(
            adapter.take("Steps: 7, Distance: 5.25 meters\r\n"), [steps(7), distance(5_250_000)])
        XCTAssertEqual(
            adapter.take("Steps: 8, Distance: 6.40 m, Calories: 0.32\n"),
            [steps(8), distance(6_400_000)])
    }

    func testHandle_whenDecimals_keepsTheirDifferenceExact() throws {
        var adapter = try makeAdapter("steps")
        for step in 0..<1000 {
            let actions = adapter.take("Steps: 0, Distance: \(step / 10).\(step % 10) m\n")
            XCTAssertEqual(actions.last, distance(Double(step) * 100_000))
        }
    }

    func testHandle_whenCommas_readsStepsAndKilometers() throws {
        var adapter = try makeAdapter("comma-steps-km")
        XCTAssertEqual(
            adapter.take("431,402,7,0.25,0.00;431,-402,8,0.26,0.01;\r\n"),
            [
                steps(7), distance(0, .kilometer), steps(8), distance(10_000, .kilometer),
            ])
    }

    func testHandle_whenCommasAndTornAtOpening_skipsTheTornLine() throws {
        var adapter = try LinesProtocol(preset: try preset("comma-steps-km")).makeAdapter()
        _ = adapter.open()
        XCTAssertEqual(adapter.take("1,2,3,4,5;"), [])
        XCTAssertEqual(adapter.take("1,2,3,4,5;"), [steps(3), distance(5_000_000, .kilometer)])
    }

    func testHandle_whenUnknown_countsTheLine() throws {
        var adapter = try makeAdapter("sparkfun-lsm6ds3")
        let text = "Processor came out of reset.\r\nDevice O.K.\r\n\r\nSteps taken: 0\r\n"
        XCTAssertEqual(
            adapter.take(text),
            [
                .dropped(.unknown), .dropped(.unknown), steps(0, .rollsOver(at: 65_536)),
            ])
    }

    func testHandle_whenBlank_reportsNothing() throws {
        var adapter = try makeAdapter("steps")
        XCTAssertEqual(adapter.take("\n\r\n  \n\t\r"), [])
    }

    func testHandle_whenBlanksAround_readsTheLine() throws {
        var adapter = try makeAdapter("steps")
        XCTAssertEqual(adapter.take("  Steps:  7 \r\n"), [steps(7)])
    }

    func testHandle_whenNumberIsNotOne_isInvalid() throws {
        var adapter = try makeAdapter("steps")
        let lines = [
            "Steps: 7.5", "Steps: -7", "Steps: 1234567890123456",
            "Steps: 7, Distance: -5.25 meters", "Steps: 7, Distance: 1234567890.1234567 m",
            "Steps: 7, Distance: 9999999999 m", "Steps: 7.5, Distance: 5.25 m",
        ]
        for line in lines {
            XCTAssertEqual(adapter.take(line + "\n"), [.dropped(.invalid)], line)
        }
    }

    func testHandle_whenNotUTF8_countsTheLineAndContinues() throws {
        var adapter = try makeAdapter("steps")
        XCTAssertEqual(
            adapter.take([0xFF, 0xC0, 0x80, 0x0A] + Array("Steps: 7\n".utf8)),
            [.dropped(.unknown), steps(7)])
    }

    func testHandle_whenTooLong_countsOnceAndContinues() throws {
        var adapter = try makeAdapter("steps")
        let long = "Steps: " + String(repeating: "7", count: 10_000)
        XCTAssertEqual(adapter.take(long), [.dropped(.tooLong)])
        XCTAssertEqual(adapter.take(long), [])
        XCTAssertEqual(adapter.take("\nSteps: 7\n"), [steps(7)])
    }

    func testHandle_whenOpenedAgain_forgetsThePartialLine() throws {
        for kind in [AdapterEvent.Kind.opened, .closed] {
            var adapter = try makeAdapter("steps")
            XCTAssertEqual(adapter.take("Steps: 1"), [])
            XCTAssertEqual(adapter.handle(AdapterEvent(kind, at: BootInstant(nanoseconds: 2))), [])
            XCTAssertEqual(adapter.take("7\nSteps: 18\n"), [.dropped(.unknown), steps(18)])
        }
    }

    func testHandle_whenRandomBytes_neverReadsMoreThanLines() throws {
        let alphabet = Array("Steps: 0123456789.,-+;\r\n metrsDiac{}\u{0}".utf8) + [0xFF, 0x80]
        let words = ["Steps: ", "\n", ";", "-", "9223372036854775808", "1e9", ".", "Distance"]
            .map { Array($0.utf8) }
        var run = FuzzRun("lines of pedometers", inputs: 300)
        while var random = run.next() {
            let preset = random.pick(LinePreset.table)
            var adapter = try LinesProtocol(preset: preset).makeAdapter()
            for _ in 0..<4 {
                var bytes = (0..<1_000).map { _ in random.pick(alphabet) }
                for _ in 0..<20 { random.mutate(&bytes, words: words) }
                let delimiters = Array((preset.terminator == .semicolon ? ";" : "\r\n").utf8)
                let ends = bytes.count { delimiters.contains($0) }
                // A line says at most two things; one too long line may end in this piece.
                let count = adapter.take(bytes).count
                run.expect(count <= 2 * ends + 1, "\(count) actions for \(ends) lines")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testHandle_whenALineIsDamagedAnywhere_readsTheOthers() throws {
        let good = Array("Steps: 7\n".utf8)
        for index in good.indices.dropLast() {
            for byte in UInt8.min...UInt8.max {
                var damaged = good
                damaged[index] = byte
                var adapter = try makeAdapter("steps")
                let actions = adapter.take(good + damaged + good)
                XCTAssertEqual(actions.first, steps(7))
                XCTAssertEqual(actions.last, steps(7))
            }
        }
    }
}
