import Synchronization

/// The questions of probes to a loop that is a task and answers them between two events.
package final class ProgressQuestions: Sendable {
    private struct State {
        var answers: [@Sendable () -> Void] = []
        /// Whether the loop waits for another one, which has a probe of its own, or has ended.
        var isAway = false
    }

    private let state = Mutex(State())

    /// Makes an empty list.
    package init() {}

    /// Adds a question; the caller then wakes the loop.
    package func add(_ answer: @escaping @Sendable () -> Void) {
        let isAway = state.withLock { state in
            if !state.isAway { state.answers.append(answer) }
            return state.isAway
        }
        if isAway { answer() }
    }

    /// Answers all questions.
    package func answerAll() {
        let answers = state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
        for answer in answers { answer() }
    }

    /// Waits for another loop, for as long as it may take; meanwhile every question is answered at once.
    package func away<Result>(_ wait: () async throws -> Result) async rethrows -> Result {
        leave()
        defer { state.withLock { $0.isAway = false } }
        return try await wait()
    }

    /// Answers all questions from now on at once, until the loop is back: it waits for another one, or
    /// has ended.
    package func leave() {
        state.withLock { $0.isAway = true }
        answerAll()
    }
}
