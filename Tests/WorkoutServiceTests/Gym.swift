import GatewayTesting
import HealthModel
import SQLiteStore
import Synchronization
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JSON
@testable import Platform
@testable import Readings
@testable import WorkoutService
@testable import Workouts

/// A manager that runs, straps that measure, and the store that has all of it.
final class Gym: Sendable {
    let folder: TemporaryFolder
    let clock: ManualClock
    let live = LiveLane()
    let store: SQLiteStore
    let manager: WorkoutManager
    let journal: GymJournal
    let faults = GymFaults()
    let log = GymLog()
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(
        _ people: String, default defaultName: String? = nil, folder: TemporaryFolder? = nil,
        clock: ManualClock = ManualClock()
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.clock = clock
        let path = folder.path("health.sqlite")
        let store = try SQLiteStore(path: path)
        self.store = store
        let journal = GymJournal()
        self.journal = journal
        let configuration = try GatewayConfiguration(
            ConfigurationNode(path: "", value: JSONValue(json5: people)))
        var people = configuration.people
        people.defaultName = defaultName
        manager = WorkoutManager(
            WorkoutDependencies(
                live: live, clock: clock, version: "1",
                earliest: Instant(nanosecondsSince1970: 1_700_000_000_000_000_000),
                log: Logger(component: "test") { [log] in log.append($0) },
                people: { [people] in people }, activities: { configuration.activities },
                storeLocation: { [faults] in
                    try await faults.call("location")
                    return WorkoutStoreLocation(path: path)
                },
                publish: { [faults] records in
                    guard (try? await faults.call("publish")) != nil else { return .stopping }
                    return await journal.publish(records, into: store)
                },
                waitForStore: { [faults] in
                    guard (try? await faults.call("wait")) != nil else { return false }
                    return !journal.isLate
                }, calendar: .utc))
    }

    func start() {
        let running = Task { [manager] in await manager.run() }
        task.withLock { $0 = running }
    }

    func stop() async {
        let running = task.withLock { $0 }
        running?.cancel()
        await running?.value
    }

    /// The present time.
    var now: Instant { clock.epoch().instant(at: clock.now()) }

    /// One second passes, at whose end the strap of each person measures a heart rate.
    func second(_ rates: [String: Double] = [:]) async throws {
        clock.advance(seconds: 1)
        for (person, rate) in rates {
            try await measure(rate, of: person, device: person)
            // It arrives through another task.
            while await !hasReceived(person, rate) { await Task.yield() }
        }
    }

    func measure(_ rate: Double, of person: String, device: String, at time: Instant? = nil)
        async throws
    {
        let time = time ?? now
        let sample = try QuantitySample(
            id: RecordID.make(start: time, device: device, stream: "rate", key: 0),
            type: .heartRate, start: time, end: time,
            quantity: Quantity(rate, .countPerMinute), person: person,
            device: Device(name: "\(device)'s strap", localIdentifier: device))
        _ = try await store.save([.sample(sample)])
        live.offer(RecordBatch([.sample(sample)]))
    }

    /// The pedometer of the only person reports a count.
    func count(steps: Double, from start: Instant, seconds: Int64) async throws {
        let sample = try QuantitySample(
            id: RecordID.make(start: start, device: "foot", stream: "steps", key: 0),
            type: .stepCount, start: start,
            end: start.adding(nanoseconds: seconds * 1_000_000_000),
            quantity: Quantity(steps, .count), person: "me",
            device: Device(name: "foot", localIdentifier: "foot"))
        _ = try await store.save([.sample(sample)])
        live.offer(RecordBatch([.sample(sample)]))
    }

    private func hasReceived(_ person: String, _ rate: Double) async -> Bool {
        guard let live = await manager.status(of: person).first, live.state == .running else {
            return true
        }
        if case .rate(rate, _, _, _) = live.heart { return live.at == now }
        return false
    }

    func ask(
        _ action: WorkoutRequest.Action, _ person: String? = nil, activity: String? = nil,
        plan: String? = nil
    ) async throws -> LiveWorkout {
        try await manager.handle(
            WorkoutRequest(
                action, person: person, configuration: .init(activity: activity, plan: plan)))
    }

    func workouts() async throws -> [Workout] {
        try await store.workouts(matching: WorkoutQuery())
    }

    /// Advances the clock until a condition is true, up to a limit.
    func wait(
        seconds: Double = 1, forTicks: Bool = false, line: UInt = #line,
        until isSo: () async throws -> Bool
    ) async throws {
        for _ in 1...100_000 {
            if try await isSo() { return }
            // Each step of the time is seen before the next.
            if forTicks { await clock.waitForSleepers(1) }
            clock.advance(seconds: seconds)
            await Task.yield()
        }
        XCTFail("it never was\n\(log.text)", line: line)
    }
}

/// A journal that stores all accepted records immediately.
final class GymJournal: Sendable {
    private struct State {
        var isFull = false
        var isLate = false
        var taken: [RecordID: Record] = [:]
    }

    private let state = Mutex(State())

    /// Whether it rejects all records.
    var isFull: Bool {
        get { state.withLock(\.isFull) }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Whether the store lags behind.
    var isLate: Bool {
        get { state.withLock(\.isLate) }
        set { state.withLock { $0.isLate = newValue } }
    }

    /// How many records of workouts it has taken.
    var workoutCount: Int {
        state.withLock { $0.taken.values.count { $0.type == .workout } }
    }

    func publish(_ records: [Record], into store: SQLiteStore) async -> Acceptance {
        let isTaken = state.withLock { state in
            records.contains { state.taken[$0.id] != nil && state.taken[$0.id] != $0 }
        }
        guard !isTaken else { return .duplicateID }
        guard !isFull else { return .waiting(reason: "full") }
        _ = try? await store.save(records)
        state.withLock { for record in records { $0.taken[record.id] = record } }
        return .accepted
    }
}

/// The faults of a manager's dependencies: from one call on everything fails, or a call waits at a
/// gate.
final class GymFaults: Sendable {
    private struct State {
        var count = 0
        var limit = Int.max
        var gate: String?
        var arrived = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    struct Broken: Error, CustomStringConvertible {
        let description = "broken"
    }

    private let state = Mutex(State())

    /// From this call on everything fails.
    func fail(from call: Int) { state.withLock { $0.limit = $0.count + call } }

    func remedy() { state.withLock { $0.limit = .max } }

    /// Whether anything has failed.
    var hasFailed: Bool { state.withLock { $0.count >= $0.limit } }

    /// The next call of this name waits until the gate is opened, and those after it go through.
    func close(_ name: String) {
        state.withLock { state in
            state.gate = name
            state.arrived = false
        }
    }

    /// Waits until a call waits at the gate.
    func waitForArrival() async {
        while !state.withLock(\.arrived) { await Task.yield() }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func call(_ name: String) async throws {
        let (isBroken, waits) = state.withLock { state in
            state.count += 1
            guard state.gate == name else { return (state.count >= state.limit, false) }
            state.gate = nil
            return (state.count >= state.limit, true)
        }
        if isBroken { throw Broken() }
        guard waits else { return }
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiting.append(continuation)
                state.arrived = true
            }
        }
    }
}

/// The captured log lines.
final class GymLog: Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    func count(of text: String) -> Int {
        lines.withLock { $0.count { $0.contains(text) } }
    }

    func append(_ record: Logger.Record) {
        lines.withLock { $0.append(LogFormat.plain(record)) }
    }
}

/// Checks that something is refused, with a text.
func assertProblem(
    _ text: String, line: UInt = #line, _ body: () async throws -> LiveWorkout
) async {
    do {
        _ = try await body()
        XCTFail("nothing was refused", line: line)
    } catch {
        XCTAssertTrue("\(error)".contains(text), "\(error)", line: line)
    }
}
