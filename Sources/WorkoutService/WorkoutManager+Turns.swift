/// Who has a turn with whose workout, and who waits for one.
package struct WorkoutTurns {
    private var busy: Set<String> = []
    private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

    /// Whether something is being done with the workout of a person.
    package func isBusy(_ person: String) -> Bool { busy.contains(person) }

    fileprivate mutating func begin(_ person: String) { busy.insert(person) }

    /// Returns who may look again.
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
    /// Does one thing after the other with the workout of a person: each waits for the store, and meanwhile
    /// another client, or the passing of time, would find it half done.
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
