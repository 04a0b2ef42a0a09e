import Synchronization

/// The questions of probes to a loop that is a task and answers them between two events.
package final class ProgressQuestions: Sendable {
    private let answers = Mutex<[@Sendable () -> Void]>([])

    /// Makes an empty list.
    package init() {}

    /// Adds a question; the caller then wakes the loop.
    package func add(_ answer: @escaping @Sendable () -> Void) {
        answers.withLock { $0.append(answer) }
    }

    /// Answers all questions.
    package func answerAll() {
        let answers = answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
        for answer in answers { answer() }
    }
}
