import GatewayCore
import Platform
import Readings
import Synchronization

/// Measures the delivery of batches to three subscribers.
struct BusBenchmark: Benchmark {
    let name = "bus"
    let summary =
        "batches of 64 to three subscribers and a journal, vs. a ring with a mutex and threads"

    private static let batchSize = 64
    private static let batches = 4_000
    private static let subscribers = 3

    /// The number of records that a subscriber has received.
    private final class Count: Sendable {
        let value = Mutex(0)

        func add(_ batch: RecordBatch) { value.withLock { $0 += batch.records.count } }
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        var strap = StrapRecords()
        let conversions = try (0..<Self.batches).map { _ in try strap.rates(Self.batchSize) }
        let every = try await context.rounds.alternate {
            try ring(conversions)
        } ours: {
            try await bus(conversions, subscribeBuffered)
        }
        let latest = try await context.rounds.alternate {
            try ring(conversions)
        } ours: {
            try await bus(conversions, subscribeToLatest)
        }
        return [
            Figure("every record", "records/s", every, goal: .ratio(.atLeast, 1)) { $0.perSecond },
            Figure("every record, CPU", "us/record", every) { $0.cpuMicrosecondsEach },
            Figure("newest values", "records/s", latest, goal: .ratio(.atLeast, 1)) {
                $0.perSecond
            },
            Figure("newest values, CPU", "us/record", latest) { $0.cpuMicrosecondsEach },
        ]
    }

    /// Measures until the last record was delivered and all lines were in the journal.
    private func bus(
        _ conversions: [Conversion],
        _ subscribe: (LiveLane, inout TaskGroup<Void>) -> @Sendable () -> Void
    ) async throws -> Cost {
        let log = Logger(component: "benchmark") { _ in }
        // In memory: the disk is not a part of this benchmark.
        let journal = try Journal(
            file: MemoryJournalFile(), sinks: [String](), clock: SystemClock(), log: log)
        let live = LiveLane()
        let bus = Bus(journal: journal, live: live)
        return await withTaskGroup(of: Void.self) { group in
            let end = subscribe(live, &group)
            return await Meter.cost(of: Self.batches * Self.batchSize) {
                for conversion in conversions { await bus.publish(conversion) }
                await journal.close()
                end()
                await group.waitForAll()
            }
        }
    }

    private func subscribeBuffered(
        _ live: LiveLane, _ group: inout TaskGroup<Void>
    ) -> @Sendable () -> Void {
        for _ in 0..<Self.subscribers {
            let count = Count()
            _ = live.subscribe(toBatches: count.add)
        }
        return {}
    }

    private func subscribeToLatest(
        _ live: LiveLane, _ group: inout TaskGroup<Void>
    ) -> @Sendable () -> Void {
        let subscriptions = (0..<Self.subscribers).map { _ in live.subscribe() }
        for subscription in subscriptions {
            group.addTask { while let entries = await subscription.next() { blackHole(entries) } }
        }
        return { for subscription in subscriptions { live.cancel(subscription) } }
    }

    /// Collects the lines of all batches in groups of the size of a commit, and returns the last
    /// one.
    private static func gather(from ring: BatchRing, reader: Int) -> [UInt8] {
        var group: [UInt8] = []
        var count = 0
        while let batch = ring.next(for: reader) {
            group += batch.lines.bytes
            count += batch.lines.count
            guard count >= Journal.commitCount else { continue }
            blackHole(group)
            group = []
            count = 0
        }
        return group
    }

    /// Measures the reference: three reader threads, and one that collects the lines in memory as a
    /// journal does.
    private func ring(_ conversions: [Conversion]) throws -> Cost {
        let ring = BatchRing(readers: Self.subscribers + 1)
        return try Meter.cost(of: Self.batches * Self.batchSize) {
            let threads = try (0..<Self.subscribers).map { reader in
                try JoinableThread(name: "reader") {
                    let count = Count()
                    while let batch = ring.next(for: reader) { count.add(batch) }
                }
            }
            let journal = try JoinableThread(name: "journal") {
                blackHole(Self.gather(from: ring, reader: Self.subscribers))
            }
            for conversion in conversions { ring.write(RecordBatch(conversion.records)) }
            ring.close()
            for thread in threads + [journal] { thread.join() }
        }
    }
}
