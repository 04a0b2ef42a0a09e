import GatewayTesting
import HealthModel
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform

/// Helpers for tests of the journal and the sinks, with a manual clock.
class LaneTestCase: XCTestCase {
    let clock = ManualClock()

    /// The log lines as `level message key=value`.
    final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func count(of words: String) -> Int { all.count { $0.contains(words) } }

        var logger: Logger {
            Logger(component: "test") { [self] record in
                let fields = record.fields.map { " \($0.key)=\($0.value)" }.joined()
                lines.withLock { $0.append("\(record.level) \(record.message)\(fields)") }
            }
        }
    }

    /// The sizes of the batches of a sink.
    final class Sizes: Sendable {
        private let sizes = Mutex<[Int]>([])

        var all: [Int] { sizes.withLock { $0 } }

        func add(_ size: Int) { sizes.withLock { $0.append(size) } }
    }

    func options(
        count: Int = 1_000, bytes: Int64 = 1 << 20, seconds: Double = 0,
        types: Set<QuantityType>? = nil
    ) -> SinkOptions {
        var options = SinkOptions()
        (options.batch.count, options.batch.bytes) = (count, bytes)
        options.batch.seconds = seconds
        options.types = types.map { Set($0.map { .quantity($0) }) }
        return options
    }

    let logLines = LogLines()
    var log: Logger { logLines.logger }

    func makeJournal(
        _ sinks: [JournalSink] = [JournalSink("store")],
        file: sending any JournalFile = InMemoryJournalFile()
    ) throws -> Journal {
        try Journal(file: file, sinks: sinks, clock: clock, log: log)
    }

    func sample(_ index: Int, _ type: QuantityType = .heartRate) throws -> Record {
        let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000 + Int64(index) * 1_000)
        return .sample(
            try QuantitySample(
                id: RecordID.make(start: now, device: "d", stream: type.name, key: UInt64(index)),
                type: type, start: now, end: now,
                quantity: Quantity(Double(60 + index % 100), type.canonicalUnit)))
    }

    func samples(_ count: Int, _ type: QuantityType = .heartRate, from start: Int = 0) throws
        -> [Record]
    {
        try (start..<start + count).map { try sample($0, type) }
    }

    /// Appends records as the bus does.
    func publish(_ records: [Record], to journal: Journal) async {
        var addition = Ledger.Ingest()
        addition.converted = Int64(records.count)
        addition.published = addition.converted
        await journal.append(RecordBatch(records).lines, addition: addition)
        // Like the journal's task when a group is full.
        if records.count >= 1_000 { await journal.commit() }
    }

    func runner(
        _ journal: Journal, _ sink: any Sink, name: String = "store",
        options: SinkOptions = SinkOptions()
    ) -> SinkRunner {
        SinkRunner(
            Gateway.NamedSink(name: name, sink: sink, options: options), journal: journal,
            clock: clock, log: log, seed: 1)
    }

    func limited(
        _ name: String = "store", bytes: Int64 = BufferLimit.smallestBytes, seconds: Double? = nil,
        _ policy: BufferLimit.Policy = .dropOldest
    ) -> JournalSink {
        var buffer = BufferLimit()
        (buffer.bytes, buffer.seconds, buffer.whenFull) = (bytes, seconds, policy)
        return JournalSink(name, buffer: buffer)
    }

    func assertCloses(_ journal: Journal, line: UInt = #line) async {
        let ledger = await journal.ledger
        XCTAssertEqual(ledger.imbalances, [], line: line)
    }
}

/// Lines of 1,000 bytes each that are not records; the journal does not decode them.
func publishLines(_ count: Int, to journal: Journal, canWait: Bool = false) async {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 999) + [UInt8(ascii: "\n")]
    let lines = RecordLines([[UInt8]](repeating: line, count: count).flatMap { $0 })
    var addition = Ledger.Ingest()
    addition.converted = Int64(count)
    addition.published = Int64(count)
    if canWait { await journal.waitForSpace() }
    await journal.append(lines, addition: addition)
    // Like the journal's task when a group is full.
    if count >= 1_000 { await journal.commit() }
}
