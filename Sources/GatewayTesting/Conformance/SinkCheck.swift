import GatewayCore
import HealthModel
import Platform

/// The checks of ``SinkConformance`` on one destination, and what they have found.
struct SinkCheck {
    /// What came of a write.
    enum Outcome {
        case stored
        case rejected(Set<RecordID>)
        /// It threw `retry`, `blocked`, `closed` or another error.
        case failed
        /// It did not end in time, or ended as cancelled.
        case ended
    }

    private(set) var findings: [ConformanceFinding] = []
    var records = ConformanceRecords()
    let stored: (@Sendable () async throws -> Int)?

    init(stored: (@Sendable () async throws -> Int)?) {
        self.stored = stored
    }

    mutating func find(_ problem: String) {
        let finding = ConformanceFinding(problem)
        if !findings.contains(finding) { findings.append(finding) }
    }

    /// Writes an empty batch, one of all kinds of records, and a large one.
    mutating func batches(_ makeSink: () throws -> any Sink) async throws {
        let sink = try makeSink()
        let before = try await stored?()
        await writeAll([], to: sink, "an empty batch")
        if try await stored?() != before { find("an empty batch changed the destination") }
        _ = await writeKnown(try records.allKinds(), to: sink, "a batch of all kinds of records")
        for count in [1, 10_000] {
            let batch = try records.heartRates(count)
            let before = try await stored?()
            await writeAll(batch, to: sink, "a batch of \(count) heart rates")
            if let before, let after = try await stored?(), after - before != count {
                find("a batch of \(count) heart rates returned, and \(after - before) are stored")
            }
        }
    }

    /// Writes batches again, with the same sink and with another one.
    mutating func duplicates(_ makeSink: () throws -> any Sink) async throws {
        for batch in [try records.heartRates(100), try records.allKinds()] {
            let sink = try makeSink()
            _ = await writeKnown(batch, to: sink, "a batch")
            let once = try await stored?()
            _ = await writeKnown(batch, to: sink, "the same batch again")
            if try await stored?() != once {
                find("the same batch twice is stored twice")
            }
            _ = await writeKnown(batch, to: try makeSink(), "the same batch after a restart")
            if try await stored?() != once {
                find("the same batch is stored twice after a restart")
            }
        }
    }

    /// Writes with two sinks at a time, as may happen after a reload.
    mutating func pair(_ first: any Sink, _ second: any Sink) async throws {
        let batches = [try records.heartRates(500), try records.heartRates(500)]
        let before = try await stored?()
        let writes = zip([first, second], batches).map { sink, batch in
            TimedOperation { try await sink.write(batch) }
        }
        for (write, batch) in zip(writes, batches) {
            let end = await write.end(within: SinkConformance.writeSeconds)
            guard case .stored = outcome(of: end, batch) else {
                return find("a write beside that of another sink failed")
            }
        }
        if let before, let after = try await stored?(), after - before != 1_000 {
            find("two sinks at a time stored \(after - before) of 1000 records")
        }
    }

    /// Deletes a record, once more after a restart, and one that the destination never had.
    mutating func deletions(_ makeSink: () throws -> any Sink) async throws {
        let batch = try records.heartRates(2)
        _ = await writeKnown(batch, to: try makeSink(), "a batch")
        let deletions = (batch.prefix(1) + (try records.heartRates(1))).map { record in
            Record.deletion(
                DeletedRecord(id: record.id, typeName: record.typeName, at: record.span.end))
        }
        for name in ["deletions", "the same deletions after a restart"] {
            await writeAll(deletions, to: try makeSink(), name)
        }
    }

    /// Writes lines of which one is not a record.
    mutating func lines(_ sink: any LineSink) async throws {
        let good = RecordBatch(try records.heartRates(2)).lines.bytes
        let lines = RecordLines(good + Array("not a record\n".utf8))
        let write = TimedOperation { try await sink.write(lines) }
        switch outcome(of: await write.end(within: SinkConformance.writeSeconds), []) {
        case .failed: find("a line that is not a record stops the sink; reject it")
        case .stored, .rejected, .ended: break
        }
    }

    /// Writes a batch of which nothing may be rejected.
    private mutating func writeAll(_ batch: [Record], to sink: any Sink, _ name: String) async {
        if case .rejected = await writeKnown(batch, to: sink, name) {
            find("\(name): valid records are rejected")
        }
    }

    /// Writes a batch that a working destination stores or rejects.
    private mutating func writeKnown(
        _ batch: [Record], to sink: any Sink, _ name: String
    ) async -> Outcome {
        let outcome = await write(batch, to: sink)
        if case .failed = outcome { find("\(name): the write failed at a destination that works") }
        return outcome
    }

    /// Writes a batch and checks the error.
    mutating func write(_ batch: [Record], to sink: any Sink) async -> Outcome {
        let write = TimedOperation { try await sink.write(batch) }
        return outcome(of: await write.end(within: SinkConformance.writeSeconds), batch)
    }
}
