import Synchronization
import Workouts

/// The newest state of each workout that the feed has not read yet.
final class WorkoutInbox: Sendable {
    /// An element each time there is something to read.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let states = Mutex<[String: LiveWorkout?]>([:])

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Puts the state of a person's workout; nil when it has ended.
    func put(_ workout: LiveWorkout?, of person: String) {
        states.withLock { _ = $0.updateValue(workout, forKey: person) }
        signal.yield()
    }

    /// Removes and returns all states.
    func empty() -> [String: LiveWorkout?] {
        states.withLock { states in
            defer { states = [:] }
            return states
        }
    }
}
