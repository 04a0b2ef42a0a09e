import GatewayTesting
import HealthModel
import Platform
import SQLiteStore
import XCTest

/// The built command with any arguments: it succeeds, or it says what is wrong; it never crashes or hangs.
final class CommandFuzzTests: XCTestCase {
    /// The commands that end by themselves without a device.
    private static let commands = [
        ["query"], ["statistics"], ["summary"], ["summary", "day"], ["summary", "month"], ["add"],
        ["people"], ["people", "set"], ["people", "remove"], ["workout", "list"],
        ["workout", "show"],
        ["workout", "export"], ["workout", "status"], ["workout", "import"], ["import"], ["export"],
        ["check"],
        ["plugins"],
        ["status"], ["forget"], ["adopt"], ["replay"], ["completions"], ["help"], ["man"],
    ]
    private static let types = [
        "heartRate", "stepCount", "bodyMass", "sleepAnalysis", "food", "workout",
    ]
    private static let times = [
        "now", "today", "yesterday", "90s", "2w", "0s", "9223372036854775807w", "2026-01-01",
        "2026-01-01T00:05", "1677-09-21", "1677-09-21T00:12:43.145224192Z", "9999-12-31",
        "0001-01-01",
        "2262-04-11T23:47:16.854775807Z", "2026-13", "2026-03-29T02:30", "-1",
    ]
    private static let values = [
        "1", "0", "-1", "1e308", "1e-308", "nan", "inf", "81", "count/min", "kg", "lb", "%", "kcal",
        "1mo",
        "15m", "10000w", "table", "csv", "json", "ndjson", "ada", "bob", "eve", "", "é",
        "\u{1b}[31m", "--",
        "D0:11:22:33:44:55", "/dev/ttyUSB0", "/dev/null", "/", "/proc/self/mem", "male", "none",
        "50,60,70", "reserve:50,60,70,80,90", "bodyMass=lb", "1986-02-14", "hxm", "day", "bash",
        "query",
    ]
    private static let options = [
        "--from", "--to", "--at", "--every", "--unit", "--person", "--device", "--format",
        "--limit",
        "--latest", "--json", "--per-source", "--help", "--birth-date", "--sex", "--zones",
        "--units",
        "--maximum-heart-rate", "--name", "--role", "--protocol", "--as", "--output", "--speed",
    ]

    func testArguments_ofAnyKind_areAnsweredOrRefused() async throws {
        let home = try await makeHome()
        var run = FuzzRun(
            "arguments of the command", inputs: 100, limits: FuzzRun.Limits(secondsPerInput: 20))
        while var random = run.next() {
            let words = Self.words(&random)
            let outcome = try await home.run(words)
            guard case .exited(let status) = outcome.ending,
                [0, 1, 64, 69, 78].contains(status)
            else {
                run.expect(false, "\(words): \(outcome.ending) \(outcome.error.suffix(500))")
                continue
            }
            run.expect(
                status == 0 || outcome.error.hasPrefix("pulsegate: "),
                "\(words): status \(status) and \(outcome.error.debugDescription)")
        }
        XCTAssertEqual(run.finish(), [])
    }

    private static func words(_ random: inout SeededGenerator) -> [String] {
        var words = random.pick(commands)
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...1: words.append(random.pick(types))
            case 2: words.append(random.pick(values))
            case 3...5: words += [random.pick(options), random.pick(times)]
            default: words += [random.pick(options), random.pick(values)]
            }
        }
        if random.once(in: 10) {
            var bytes = Array(words[words.count - 1].utf8)
            random.mutate(&bytes, words: times.map { Array($0.utf8) })
            // An argument has no null character.
            words[words.count - 1] = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        }
        return words
    }

    /// A home with two people, and with samples of several types.
    private func makeHome() async throws -> Home {
        let home = try Home()
        try home.configure("{ people: { ada: {}, bob: { birthDate: '1986-02-14', sex: 'male' } } }")
        try home.folder.makeFolder("data/pulsegate")
        let store = try SQLiteStore(path: "\(home.dataDirectory)/health.sqlite")
        let newYear = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)
        let samples = try (0..<100).map { index in
            let type = [QuantityType.heartRate, .stepCount, .bodyMass][index % 3]
            let start = newYear.adding(nanoseconds: Int64(index) * 60_000_000_000)
            return try QuantitySample(
                id: RecordID.make(start: start, device: "d", stream: type.name, key: UInt64(index)),
                type: type, start: start, end: start.adding(nanoseconds: 30_000_000_000),
                quantity: Quantity(60, type.canonicalUnit), person: index % 2 == 0 ? "ada" : "bob")
        }
        _ = try await store.save(samples.map { .sample($0) })
        return home
    }
}
