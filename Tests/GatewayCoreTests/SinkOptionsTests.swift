import XCTest

@testable import GatewayCore
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
        XCTAssertEqual(options.lag.bytes, 1 << 30)
        XCTAssertEqual(options.lag.whenExceeded, .dropOldest)
        XCTAssertEqual(options.begins, .now)
        XCTAssertEqual(options.batch.count, 1_000)
    }

    func testInit_everythingThatMayBeThere() throws {
        let options = try options(
            """
            { types: ["heartRate", "sleepAnalysis", "bloodPressure"], lag: { limit: "64 MiB", age: "7d", whenExceeded: "block" },
              from: "start", batch: { count: 500, size: "512KiB", seconds: 2.5 }, formerly: "old" }
            """)
        XCTAssertEqual(
            options.types,
            [.quantity(.heartRate), .category(.sleepAnalysis), .correlation(.bloodPressure)])
        XCTAssertEqual(options.lag.bytes, 64 << 20)
        XCTAssertEqual(options.lag.seconds, 604_800)
        XCTAssertEqual(options.lag.whenExceeded, .block)
        XCTAssertEqual(options.begins, .start)
        XCTAssertEqual(options.batch.count, 500)
        XCTAssertEqual(options.batch.bytes, 512 << 10)
        XCTAssertEqual(options.batch.seconds, 2.5)
        XCTAssertEqual(options.formerly, "old")
    }

    func testInit_everyMistakeNamesItsKey() {
        let mistakes: [(text: String, path: String, words: String)] = [
            (#"{ lag: { limit: "64 MB" } }"#, "lag.limit", "expected a size"),
            (#"{ lag: { limit: 64 } }"#, "lag.limit", "expected a string"),
            (#"{ lag: { limit: "255 KiB" } }"#, "lag.limit", "from 256 KiB"),
            (#"{ lag: { limit: "-1 GiB" } }"#, "lag.limit", "expected a size"),
            (#"{ lag: { limit: "1e999 GiB" } }"#, "lag.limit", "expected a size"),
            (#"{ lag: { limit: "9999999999 TiB" } }"#, "lag.limit", "must be from"),
            (#"{ lag: { age: "7 years" } }"#, "lag.age", "expected a span"),
            (#"{ lag: { age: "0s" } }"#, "lag.age", "must be from"),
            (#"{ lag: { whenExceeded: "drop" } }"#, "lag.whenExceeded", "dropOldest"),
            (#"{ lag: { limits: 1 } }"#, "lag.limits", "did you mean `limit`"),
            (#"{ lag: "64 MiB" }"#, "lag", "expected an object"),
            (#"{ batch: { count: 0 } }"#, "batch.count", "from 1 to"),
            (#"{ batch: { size: "1 GiB" } }"#, "batch.size", "from 1 KiB to 64 MiB"),
            (#"{ batch: { seconds: -1 } }"#, "batch.seconds", "from 0 to"),
            (#"{ from: "begin" }"#, "from", "unknown"),
            (#"{ formerly: "" }"#, "formerly", "empty"),
            (#"{ types: [] }"#, "types", "names no type"),
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
            XCTAssertEqual(try node.span(in: 0...1e9), seconds, text)
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
                JournalSink("new", formerly: "old"), JournalSink("now"),
                JournalSink("start", begins: .start), JournalSink("other", formerly: "never"),
            ], oldest: 3)
        old.formerly = "old"
        var other = Ledger.Sink(start: 10, cursor: 10)
        other.formerly = "never"
        XCTAssertEqual(
            ledger.sinks,
            [
                "new": old, "now": Ledger.Sink(start: 10, cursor: 10),
                "start": Ledger.Sink(start: 3, cursor: 3), "other": other,
            ])
        // The key may stay in the configuration: it has no effect any more.
        ledger.register([JournalSink("new", formerly: "now")], oldest: 3)
        old.formerly = "now"
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

    func testRegister_swappedNames_swapOnce_howeverOftenThatIsSaid() {
        var ledger = ledger(["repo": 2, "store": 9])
        let swapped = [
            JournalSink("repo", formerly: "store"), JournalSink("store", formerly: "repo"),
        ]
        for _ in 0..<3 {
            ledger.register(swapped, oldest: 0)
            XCTAssertEqual(cursors(ledger), ["repo": 9, "store": 2])
        }
        // Without the words in between they can be swapped back.
        ledger.register([JournalSink("repo"), JournalSink("store")], oldest: 0)
        XCTAssertEqual(cursors(ledger), ["repo": 9, "store": 2])
        ledger.register(swapped, oldest: 0)
        XCTAssertEqual(cursors(ledger), ["repo": 2, "store": 9])
    }

    func testRegister_namesThatMoveOn_orInACircle() {
        var chain = ledger(["a": 1, "b": 2])
        chain.register(
            [JournalSink("c", formerly: "b"), JournalSink("b", formerly: "a")], oldest: 0)
        XCTAssertEqual(cursors(chain), ["c": 2, "b": 1])
        var circle = ledger(["a": 1, "b": 2, "c": 3])
        circle.register(
            [
                JournalSink("a", formerly: "b"), JournalSink("b", formerly: "c"),
                JournalSink("c", formerly: "a"),
            ], oldest: 0)
        XCTAssertEqual(cursors(circle), ["a": 2, "b": 3, "c": 1])
    }

    func testRegister_aNameThatWouldLoseItsOwnAccount_keepsIt() {
        var ledger = ledger(["a": 1, "b": 2])
        ledger.register(
            [JournalSink("a", formerly: "b"), JournalSink("b", formerly: "x")], oldest: 0)
        XCTAssertEqual(cursors(ledger), ["a": 1, "b": 2])
        ledger.register([JournalSink("c", formerly: "b"), JournalSink("b")], oldest: 0)
        XCTAssertEqual(cursors(ledger), ["b": 2, "c": 10])
    }
}
