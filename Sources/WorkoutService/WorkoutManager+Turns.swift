/// The exclusive turns on workouts: one task for each person at a time, the others wait.
package struct WorkoutTurns {
    private var busy: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Whether a task has its turn with the workout of a person.
    package func isBusy(_ person: String) -> Bool { busy.contains(person) }

    fileprivate mutating func begin(_ person: String) { busy.insert(person) }

    /// Ends a turn, and returns the waiting tasks to resume.
    fileprivate mutating func end(_ person: String) -> [CheckedContinuation<Void, Never>] {
        busy.remove(person)
        return waiting.removeValue(forKey: person) ?? []
    }

    fileprivate mutating func wait(
        for person: String, _ continuation: CheckedContinuation<Void, Never>
    ) {
        waiting[person, default: []].append(continuation)
    }
}

extension WorkoutManager {
    /// Runs a closure while no other task works on the workout of a person.
    ///
    /// Each operation waits for the store; meanwhile another client, or the tick, must not find the
    /// workout half changed.
    package func inTurn<Result: Sendable>(
        _ person: String, _ body: () async throws -> Result
    ) async rethrows -> Result {
        while turns.isBusy(person) {
            await withCheckedContinuation { continuation in
                if turns.isBusy(person) {
                    turns.wait(for: person, continuation)
                } else {
                    continuation.resume()
                }
            }
        }
        turns.begin(person)
        defer { for continuation in turns.end(person) { continuation.resume() } }
        return try await body()
    }
}
