package import HealthModel
import Synchronization
package import Workouts

/// A place among those who watch a workout.
package final class WorkoutWatch: Sendable {
    fileprivate let send: @Sendable (WorkoutUpdate) -> Void
    private let watchers: WorkoutWatchers

    fileprivate init(
        _ watchers: WorkoutWatchers, _ send: @escaping @Sendable (WorkoutUpdate) -> Void
    ) {
        self.watchers = watchers
        self.send = send
    }

    /// Ends it.
    package func cancel() { watchers.remove(self) }
}

/// Those who watch a workout, each on a connection of its own.
package final class WorkoutWatchers: Sendable {
    private let watches = Mutex<[WorkoutWatch]>([])

    /// Whether nobody watches.
    package var isEmpty: Bool { watches.withLock(\.isEmpty) }

    package func add(_ send: @escaping @Sendable (WorkoutUpdate) -> Void) -> WorkoutWatch {
        let watch = WorkoutWatch(self, send)
        watches.withLock { $0.append(watch) }
        return watch
    }

    package func remove(_ watch: WorkoutWatch) {
        watches.withLock { $0.removeAll { $0 === watch } }
    }

    /// Sends how the workout is doing.
    package func tell(_ live: @autoclosure () -> LiveWorkout) {
        let watches = watches.withLock { $0 }
        guard !watches.isEmpty else { return }
        let update = WorkoutUpdate.live(live())
        for watch in watches { watch.send(update) }
    }

    /// Says that the workout is over, and whether it is saved.
    package func finish(savedAs id: RecordID? = nil) {
        let watches = watches.withLock { watches in
            defer { watches = [] }
            return watches
        }
        let update = WorkoutUpdate.ended(savedAs: id)
        for watch in watches { watch.send(update) }
    }
}
