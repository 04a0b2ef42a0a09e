import HealthModel
import Platform

/// Gathers what a sink is given next: up to its limits, and as long as it may wait for more.
struct BatchAssembler {
    /// After a long time of failures a sink is given so many records to try, at most.
    static let trialCount = 10
    /// How often a sink is given something that never rests: where commit follows commit, once a second.
    private static let maximumGap: Int64 = 150_000_000
    private static let maximumPause: Int64 = 1_000_000_000

    private let runner: SinkRunner
    private let filter: TypeFilter?
    private var decoder: RecordDecoder
    /// How often the sink is given something, where nothing is said.
    private var pace: CoalescingPolicy
    /// What was read and did not fit into the last batch.
    private var rest: JournalSlice?

    init(_ runner: SinkRunner) {
        self.runner = runner
        filter = runner.options.types.map(TypeFilter.init)
        decoder = RecordDecoder(types: runner.types, allowingUndeclared: true)
        pace = CoalescingPolicy(
            goodPiece: runner.options.batch.count, longestGapNanoseconds: Self.maximumGap,
            maximumPauseNanoseconds: Self.maximumPause)
    }

    /// The next batch; nil when nothing follows the sink's cursor.
    mutating func next(isTrial: Bool) async throws -> SinkBatch? {
        var limit = runner.options.batch
        if isTrial { limit.count = min(limit.count, Self.trialCount) }
        var batch = SinkBatch(after: await runner.journal.cursor(of: runner.name), limit: limit)
        var deadline: BootInstant?
        var mayWait = !isTrial
        while !batch.isFull {
            if let slice = try await slice(after: batch.end, limit) {
                rest = slice
                // When records were dropped meanwhile, what comes after them is a batch of its own.
                if batch.end == batch.start, slice.start > batch.end {
                    batch = SinkBatch(after: slice.start, limit: limit)
                }
                guard slice.start <= batch.end, batch.take(slice, filter, with: &decoder)
                else { break }
                rest = nil
            } else if batch.lines.isEmpty || !mayWait {
                break
            } else {
                let end = deadline ?? self.deadline(after: limit.seconds)
                deadline = end
                // What came until then is taken too.
                mayWait = try await waitForMore(
                    after: batch.end + Int64(limit.count - batch.lines.count) - 1, until: end)
            }
        }
        guard batch.end > batch.start else { return nil }
        pace.note(batch.lines.count, at: runner.clock.now())
        return batch
    }

    /// Until when a batch waits for more: as long as the sink's settings say, else as the pace is.
    private func deadline(after seconds: Double) -> BootInstant {
        let now = runner.clock.now()
        guard seconds == 0 else {
            return now.adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        }
        return pace.pauseEnd ?? now
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

    /// Waits for a record that fills the batch; false when none came in time or will come any more.
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
