package import HealthModel
import Synchronization
package import Workouts

/// A subscription to the updates of a workout.
package final class WorkoutWatch: Sendable {
    fileprivate let send: @Sendable (WorkoutUpdate) -> Void
    private let watchers: WorkoutWatchers

    fileprivate init(
        _ watchers: WorkoutWatchers, _ send: @escaping @Sendable (WorkoutUpdate) -> Void
    ) {
        self.watchers = watchers
        self.send = send
    }

    /// Cancels the subscription.
    package func cancel() { watchers.remove(self) }
}

/// The watchers of a workout, each on its own connection.
package final class WorkoutWatchers: Sendable {
    private let watches = Mutex<[WorkoutWatch]>([])

    /// Whether there is no watcher.
    package var isEmpty: Bool { watches.withLock(\.isEmpty) }

    /// Adds a watcher; updates are passed to the closure.
    package func add(_ send: @escaping @Sendable (WorkoutUpdate) -> Void) -> WorkoutWatch {
        let watch = WorkoutWatch(self, send)
        watches.withLock { $0.append(watch) }
        return watch
    }

    /// Removes a watcher.
    package func remove(_ watch: WorkoutWatch) {
        watches.withLock { $0.removeAll { $0 === watch } }
    }

    /// Sends the state of the workout to all watchers.
    package func send(_ live: @autoclosure () -> LiveWorkout) {
        let watches = watches.withLock { $0 }
        guard !watches.isEmpty else { return }
        let update = WorkoutUpdate.live(live())
        for watch in watches { watch.send(update) }
    }

    /// Sends the end of the workout, and removes all watchers.
    package func finish(savedAs id: RecordID? = nil) {
        let watches = watches.withLock { watches in
            defer { watches = [] }
            return watches
        }
        let update = WorkoutUpdate.ended(savedAs: id)
        for watch in watches { watch.send(update) }
    }
}
