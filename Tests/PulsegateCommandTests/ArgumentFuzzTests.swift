import GatewayTesting
import HealthModel
import RecordTables
import XCTest

@testable import ArgumentValues
@testable import GatewayHost
@testable import Platform
@testable import PulsegateCommand

/// Any words on the command line: parsed, or wrong usage with a message.
final class ArgumentFuzzTests: XCTestCase {
    private static let words = [
        "--", "-", "--from", "--from=", "--help", "-h", "=", "-1", "-1e5", "nan", "-inf", "é", "",
        "\n",
        "--format=json", "--unit", "%", "heartRate", "--every=1mo", "\u{301}", "--frm",
    ]
    private static let timeWords = [
        "s", "m", "h", "d", "w", "mo", "now", "today", "T", "Z", "+23:59", "-", ":", ".", "9", "0",
        "é",
        "9223372036854775807", "1677-09-21", "2262-04-11", "9999-12-31", "T24:00", "+",
    ].map { Array($0.utf8) }

    func testWords_ofAnyKind_areArgumentsOrWrongUsage() {
        let commands = Subcommand.all.map(\.syntax)
        var run = FuzzRun("words of a command", inputs: 3_000)
        while var random = run.next() {
            let syntax = random.pick(commands)
            let known = syntax.allOptions.map(\.name)
            let words = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                var bytes = Array(random.pick(random.once(in: 2) ? known : Self.words).utf8)
                if random.once(in: 4) { random.mutate(&bytes, words: Self.timeWords) }
                return String(decoding: bytes, as: UTF8.self)
            }
            do throws(HostError) {
                let arguments = try ParsedArguments(words, syntax: syntax)
                _ = try arguments.seconds(of: "--for")
            } catch {
                run.expect(error.status == .usage && !error.text.isEmpty, "\(words): \(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testUnitsAndColumns_ofAnyText_areReadOrRefused() throws {
        let units = ["count/min", "bpm", "°C", "km/h", "ml/kg/min", "lbs", "calories", "mmol/L"]
        let types: [QuantityType] = [.heartRate, .bodyTemperature, .bodyMass, .stepCount]
        let columns = RecordPrinter.columns(of: .quantity(.heartRate), in: .table)
        var run = FuzzRun("units and columns of a command", inputs: 5_000)
        while var random = run.next() {
            var bytes = Array(random.pick(units + ["start,value,end", "ID, Device"]).utf8)
            for _ in 0..<random.pick([0, 1, 3]) { random.mutate(&bytes, words: Self.timeWords) }
            let text = String(decoding: bytes, as: UTF8.self)
            let type = random.pick(types)
            do throws(HostError) {
                let unit = try UnitArgument.unit(text, for: type, option: "--unit")
                run.expect(unit.isCompatible(with: type.canonicalUnit), "\(text) is \(unit)")
            } catch {
                run.expect(error.status == .usage, "\(text): \(error)")
            }
            do throws(HostError) {
                let names = try ColumnsArgument.columns(text, among: columns, option: "--columns")
                run.expect(Set(names).count == names.count, "\(text) is \(names)")
            } catch {
                run.expect(error.status == .usage, "\(text): \(error)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testTimesAndSteps_ofAnyText_areReadOrRefused() {
        let times = [
            "2026-11-21T18:15", "2026-11-21", "yesterday", "90s", "2w", "1mo", "15m", "last week",
            "2026-11",
        ]
        let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        let nows = [now, Instant(nanosecondsSince1970: .min), Instant(nanosecondsSince1970: .max)]
        var run = FuzzRun("times of a command", inputs: 5_000)
        while var random = run.next() {
            var bytes = Array(random.pick(times).utf8)
            for _ in 0..<random.pick([0, 1, 3]) { random.mutate(&bytes, words: Self.timeWords) }
            let text = String(decoding: bytes, as: UTF8.self)
            let now = random.pick(nows)
            if let time = TimeArgument.instant(text, now: now, calendar: .utc), text.hasSuffix("s")
            {
                run.expect(time <= now, "\(text) is after now")
            }
            if let period = PeriodArgument.span(text, now: now, calendar: .utc) {
                run.expect(!period.isEmpty, "\(text) is an empty period")
            }
            if let step = try? StepArgument.step(text, option: "--every") {
                let length = random.pick([1, 3_600_000_000_000, 1 << 50, Int64(1) << 58])
                let span =
                    now..<now.adding(nanoseconds: Int64.random(in: 0...length, using: &random))
                let steps = LocalCalendar.utc.steps(of: span, by: step, limit: 1_000) ?? []
                run.expect(steps.count <= 1_000, "\(steps.count) steps")
                let hasGap = zip(steps, steps.dropFirst()).contains {
                    $0.upperBound != $1.lowerBound
                }
                run.expect(!hasGap, "a gap between steps of \(text)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
