import HealthModel
import Platform

/// The assembler of a sink's batches within the limits of size and time.
struct BatchAssembler {
    /// The maximum number of records in a trial batch after a long failure.
    static let trialCount = 10
    /// The longest gap in a continuous stream, as a part of the pause: a pause saves at least one batch.
    private static let gapShare = 0.55

    private let runner: SinkRunner
    private let filter: TypeFilter?
    private var decoder: RecordDecoder
    /// The pauses between batches if `seconds` is not configured.
    private var coalescing: CoalescingPolicy
    /// The slice that did not fit completely into the last batch.
    private var rest: JournalSlice?

    init(_ runner: SinkRunner) {
        self.runner = runner
        filter = TypeFilter(
            runner.options.types, acceptingDeletions: runner.sink.acceptsDeletions)
        decoder = RecordDecoder(types: runner.types, allowingUndeclared: true)
        // What a crash would lose does not wait long.
        let pause = runner.journal.isVolatile ? 1 : runner.sink.longestPause
        coalescing = CoalescingPolicy(
            targetSize: runner.options.batch.count,
            longestGapNanoseconds: Int64(clampedNanosecondsOf: pause * Self.gapShare),
            maximumPauseNanoseconds: Int64(clampedNanosecondsOf: pause))
    }

    /// Returns the next batch; nil if there is no record after the sink's cursor.
    mutating func next(isTrial: Bool) async throws -> SinkBatch? {
        var limit = runner.options.batch
        if isTrial { limit.count = min(limit.count, Self.trialCount) }
        let permits = try await permits()
        var batch = SinkBatch(after: await runner.journal.cursor(of: runner.name), limit: limit)
        var deadline: BootInstant?
        var mayWait = !isTrial
        while !batch.isFull {
            if let slice = try await slice(after: batch.end, limit) {
                rest = slice
                // After a drop, the records behind the gap are a new batch.
                if batch.end == batch.start, slice.start > batch.end {
                    batch = SinkBatch(after: slice.start, limit: limit)
                }
                guard slice.start <= batch.end,
                    batch.add(slice, filter, permits, with: &decoder)
                else { break }
                rest = nil
            } else if batch.lines.isEmpty || !mayWait {
                break
            } else {
                let end = deadline ?? self.deadline(after: limit.seconds)
                deadline = end
                // Records that arrive until then are included.
                mayWait = try await waitForMore(
                    after: batch.end + Int64(limit.count - batch.lines.count) - 1, until: end)
            }
        }
        guard batch.end > batch.start else { return nil }
        coalescing.note(batch.lines.count, at: runner.clock.now())
        return batch
    }

    /// Asks for the permission of each batch, so that a change takes effect at once.
    private func permits() async throws -> (@Sendable (Record) -> Bool)? {
        guard let permission = runner.permission else { return nil }
        return try await runner.retrying("see what the program may read") { try permission() }
    }

    /// Returns the deadline of a batch: as configured, or according to the load.
    private func deadline(after seconds: Double) -> BootInstant {
        let now = runner.clock.now()
        guard seconds == 0 else {
            return now.adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        }
        return coalescing.pauseEnd ?? now
    }

    private func slice(
        after cursor: Int64, _ limit: SinkOptions.BatchLimit
    ) async throws -> JournalSlice? {
        if let rest, (rest.start..<rest.end).contains(cursor) { return rest }
        let limit = JournalReadLimit(count: limit.count, bytes: limit.bytes)
        return try await runner.retrying("read the journal") {
            try await runner.journal.read(for: runner.name, after: cursor, limit: limit)
        }
    }

    /// Waits for a record that fills the batch; false on timeout or at the end of the journal.
    private func waitForMore(after cursor: Int64, until deadline: BootInstant) async throws -> Bool
    {
        guard runner.clock.now() < deadline else { return false }
        return try await withThrowingTaskGroup(of: Bool.self) { [runner] group in
            defer { group.cancelAll() }
            group.addTask {
                try await runner.clock.sleep(until: deadline)
                return false
            }
            group.addTask {
                await runner.journal.waitForArrival(after: cursor, for: runner.name)
            }
            return try await group.next() ?? false
        }
    }
}
