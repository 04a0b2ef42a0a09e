import GatewayCore
import Readings
import XCTest

@testable import Lines

final class LinePresetTests: XCTestCase {
    private func isReading(_ action: AdapterAction) -> Bool {
        if case .reading = action { return true }
        return false
    }

    func testTable_hasNoNameTwice() {
        let names = LinePreset.table.map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
        XCTAssertEqual(
            names,
            [
                "steps", "sparkfun-lsm6ds3", "stm32duino-lsm6dso", "seeed-bma456",
                "sparkfun-mpu9250", "bmi160", "total-steps", "comma-steps-km",
            ])
    }

    func testExamples_areReadAsSevenSteps() throws {
        for preset in LinePreset.table {
            XCTAssertFalse(preset.examples.isEmpty, preset.name)
            for example in preset.examples {
                var adapter = try makeAdapter(preset.name)
                let end = preset.terminator == .semicolon ? ";" : "\r\n"
                let actions = adapter.take(example + end)
                XCTAssertEqual(actions.first, steps(7, preset.counter.range), example)
                XCTAssertTrue(actions.allSatisfy(isReading), example)
            }
        }
    }

    func testExamples_whenTornAtAnyPlace_sayNothingFalse() throws {
        for preset in LinePreset.table {
            for example in preset.examples {
                for length in 1..<example.utf8.count {
                    var adapter = try LinesProtocol(preset: preset).makeAdapter()
                    _ = adapter.open()
                    let end = preset.terminator == .semicolon ? ";" : "\n"
                    let actions = adapter.take(String(example.suffix(length)) + end)
                    XCTAssertFalse(actions.contains(where: isReading), "\(example) \(length)")
                }
            }
        }
    }

    func testExamples_whenOpenedBeforeAWholeLine_areReadUnlessTheyBeginWithANumber() throws {
        for preset in LinePreset.table {
            var adapter = try LinesProtocol(preset: preset).makeAdapter()
            _ = adapter.open()
            let line = (preset.examples.first ?? "") + "\n"
            let isRead = adapter.take(line).contains(where: isReading)
            XCTAssertEqual(isRead, preset.name != "comma-steps-km", preset.name)
        }
    }

    func testCounter_whenUnsigned_endsAtItsWidth() throws {
        let widths: [(String, Int, Double)] = [
            ("sparkfun-lsm6ds3", 65_535, 65_536), ("stm32duino-lsm6dso", 65_535, 65_536),
            ("seeed-bma456", 4_294_967_295, 4_294_967_296),
            ("sparkfun-mpu9250", 4_294_967_295, 4_294_967_296),
        ]
        for (name, largest, modulus) in widths {
            var adapter = try makeAdapter(name)
            let example = try XCTUnwrap(try preset(name).examples.first)
            let line = { (number: Int) in
                example.replacing("7", with: "\(number)", maxReplacements: 1) + "\n"
            }
            XCTAssertEqual(
                adapter.take(line(largest)), [steps(Double(largest), .rollsOver(at: modulus))])
            XCTAssertEqual(adapter.take(line(largest + 1)), [.dropped(.invalid)], name)
            XCTAssertEqual(adapter.take(line(-1)), [.dropped(.invalid)], name)
        }
    }

    func testCounter_whenSigned_countsOnBelowZero() throws {
        var adapter = try makeAdapter("bmi160")
        let cases: [(String, Double)] = [
            ("32767", 32_767), ("-32768", 32_768), ("-1", 65_535), ("0", 0), ("65535", 65_535),
        ]
        for (printed, count) in cases {
            XCTAssertEqual(
                adapter.take("Step count: \(printed)\r\n"),
                [steps(count, .rollsOver(at: 65_536))], printed)
        }
        XCTAssertEqual(adapter.take("Step count: -32769\n"), [.dropped(.invalid)])
        XCTAssertEqual(adapter.take("Step count: 65536\n"), [.dropped(.invalid)])
    }
}
