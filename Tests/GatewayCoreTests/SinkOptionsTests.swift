import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import HealthModel
@testable import JSON

final class SinkOptionsTests: XCTestCase {
    private func options(_ text: String) throws -> SinkOptions {
        let node = ConfigurationNode(
            path: "sinks.store", value: try JSONValue(json5: text))
        return try SinkOptions(node.object(keys: SinkOptions.keys))
    }

    func testInit_theUsual() throws {
        let options = try options("{}")
        XCTAssertNil(options.types)
        XCTAssertEqual(options.buffer.bytes, 1 << 30)
        XCTAssertEqual(options.buffer.whenFull, .dropOldest)
        XCTAssertEqual(options.startPosition, .now)
        XCTAssertEqual(options.batch.count, 1_000)
    }

    func testInit_everythingThatMayBeThere() throws {
        let options = try options(
            """
            { types: ["heartRate", "sleepAnalysis", "bloodPressure"], buffer: { maxSize: "64 MiB", maxAge: "7d", whenFull: "block" },
              from: "start", batch: { count: 500, size: "512KiB", seconds: 2.5 }, previousName: "old" }
            """)
        XCTAssertEqual(
            options.types,
            [.quantity(.heartRate), .category(.sleepAnalysis), .correlation(.bloodPressure)])
        XCTAssertEqual(options.buffer.bytes, 64 << 20)
        XCTAssertEqual(options.buffer.seconds, 604_800)
        XCTAssertEqual(options.buffer.whenFull, .block)
        XCTAssertEqual(options.startPosition, .start)
        XCTAssertEqual(options.batch.count, 500)
        XCTAssertEqual(options.batch.bytes, 512 << 10)
        XCTAssertEqual(options.batch.seconds, 2.5)
        XCTAssertEqual(options.previousName, "old")
    }

    func testInit_everyMistakeNamesItsKey() {
        let mistakes: [(text: String, path: String, words: String)] = [
            (#"{ buffer: { maxSize: "64 MB" } }"#, "buffer.maxSize", "expected a size"),
            (#"{ buffer: { maxSize: 64 } }"#, "buffer.maxSize", "expected a string"),
            (#"{ buffer: { maxSize: "255 KiB" } }"#, "buffer.maxSize", "from 256 KiB"),
            (#"{ buffer: { maxSize: "-1 GiB" } }"#, "buffer.maxSize", "expected a size"),
            (#"{ buffer: { maxSize: "1e999 GiB" } }"#, "buffer.maxSize", "expected a size"),
            (#"{ buffer: { maxSize: "9999999999 TiB" } }"#, "buffer.maxSize", "must be from"),
            (#"{ buffer: { maxAge: "7 years" } }"#, "buffer.maxAge", "expected a duration"),
            (#"{ buffer: { maxAge: "0s" } }"#, "buffer.maxAge", "must be from"),
            (#"{ buffer: { whenFull: "drop" } }"#, "buffer.whenFull", "dropOldest"),
            (#"{ buffer: { limits: 1 } }"#, "buffer.limits", "known: maxSize"),
            (#"{ buffer: "64 MiB" }"#, "buffer", "expected an object"),
            (#"{ batch: { count: 0 } }"#, "batch.count", "from 1 to"),
            (#"{ batch: { size: "1 GiB" } }"#, "batch.size", "from 1 KiB to 64 MiB"),
            (#"{ batch: { seconds: -1 } }"#, "batch.seconds", "from 0 to"),
            (#"{ from: "begin" }"#, "from", "unknown"),
            (#"{ previousName: "" }"#, "previousName", "empty"),
            (#"{ types: [] }"#, "types", "must have at least one type"),
            (#"{ types: ["sleepAnalysi"] }"#, "types[0]", "did you mean `sleepAnalysis`"),
        ]
        for (text, path, words) in mistakes {
            XCTAssertThrowsError(try options(text), text) { error in
                let error = error as? ConfigurationError
                XCTAssertEqual(error?.path, "sinks.store.\(path)", text)
                XCTAssertTrue(
                    error?.problem.contains(words) ?? false, "\(text): \(error?.problem ?? "")")
            }
        }
    }

    func testSpan_everyUnit() throws {
        let cases = [
            ("90s", 90.0), ("15m", 900), ("24 h", 86_400), ("7d", 604_800), ("2w", 1_209_600),
        ]
        for (text, seconds) in cases {
            let node = ConfigurationNode(path: "x", value: .string(text))
            XCTAssertEqual(try node.duration(in: 0...1e9), seconds, text)
        }
    }

    func testJournal_inMemoryOrOnDisk() throws {
        func configuration(_ text: String) throws -> GatewayConfiguration {
            try GatewayConfiguration(
                ConfigurationNode(path: "", value: try JSONValue(json5: text)))
        }
        XCTAssertTrue(try configuration(#"{ journal: "memory" }"#).isJournalInMemory)
        XCTAssertFalse(try configuration(#"{ journal: {} }"#).isJournalInMemory)
        XCTAssertThrowsError(try configuration(#"{ journal: "disk" }"#)) { error in
            XCTAssertEqual((error as? ConfigurationError)?.path, "journal")
        }
    }

    func testRegister_aRenamedSinkKeepsItsPlace_andANewOneBeginsWhereItWants() {
        var ledger = Ledger()
        (ledger.ingest.converted, ledger.ingest.published) = (10, 10)
        var old = Ledger.Sink(start: 0, cursor: 4)
        old.outcome.delivered = 4
        ledger.sinks = ["old": old, "gone": Ledger.Sink(start: 2, cursor: 2)]
        ledger.register(
            [
                JournalSink("new", previousName: "old"), JournalSink("now"),
                JournalSink("start", startPosition: .start),
                JournalSink("other", previousName: "never"),
            ], oldest: 3)
        old.previousName = "old"
        var other = Ledger.Sink(start: 10, cursor: 10)
        other.previousName = "never"
        XCTAssertEqual(
            ledger.sinks,
            [
                "new": old, "now": Ledger.Sink(start: 10, cursor: 10),
                "start": Ledger.Sink(start: 3, cursor: 3), "other": other,
            ])
        // The key may stay in the configuration without effect.
        ledger.register([JournalSink("new", previousName: "now")], oldest: 3)
        old.previousName = "now"
        XCTAssertEqual(ledger.sinks, ["new": old])
        XCTAssertEqual(ledger.imbalances, [])
    }

    private func cursors(_ ledger: Ledger) -> [String: Int64] { ledger.sinks.mapValues(\.cursor) }

    private func ledger(_ cursors: [String: Int64]) -> Ledger {
        var ledger = Ledger()
        (ledger.ingest.converted, ledger.ingest.published) = (10, 10)
        ledger.sinks = cursors.mapValues { Ledger.Sink(start: $0, cursor: $0) }
        return ledger
    }

    func testRegister_swappedNames_swapOnce_howeverOftenThatIsReported() {
        var ledger = ledger(["repo": 2, "store": 9])
        let swapped = [
            JournalSink("repo", previousName: "store"), JournalSink("store", previousName: "repo"),
        ]
        for _ in 0..<3 {
            ledger.register(swapped, oldest: 0)
            XCTAssertEqual(cursors(ledger), ["repo": 9, "store": 2])
        }
        // After the key was removed they can be swapped back.
        ledger.register([JournalSink("repo"), JournalSink("store")], oldest: 0)
        XCTAssertEqual(cursors(ledger), ["repo": 9, "store": 2])
        ledger.register(swapped, oldest: 0)
        XCTAssertEqual(cursors(ledger), ["repo": 2, "store": 9])
    }

    func testRegister_namesThatMoveOn_orInACircle() {
        var chain = ledger(["a": 1, "b": 2])
        chain.register(
            [JournalSink("c", previousName: "b"), JournalSink("b", previousName: "a")], oldest: 0)
        XCTAssertEqual(cursors(chain), ["c": 2, "b": 1])
        var circle = ledger(["a": 1, "b": 2, "c": 3])
        circle.register(
            [
                JournalSink("a", previousName: "b"), JournalSink("b", previousName: "c"),
                JournalSink("c", previousName: "a"),
            ], oldest: 0)
        XCTAssertEqual(cursors(circle), ["a": 2, "b": 3, "c": 1])
    }

    func testRegister_aNameThatWouldLoseItsOwnAccount_keepsIt() {
        var ledger = ledger(["a": 1, "b": 2])
        ledger.register(
            [JournalSink("a", previousName: "b"), JournalSink("b", previousName: "x")], oldest: 0)
        XCTAssertEqual(cursors(ledger), ["a": 1, "b": 2])
        ledger.register([JournalSink("c", previousName: "b"), JournalSink("b")], oldest: 0)
        XCTAssertEqual(cursors(ledger), ["b": 2, "c": 10])
    }
}
