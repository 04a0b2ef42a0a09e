import GatewayCore
import HealthModel
import Synchronization
import Workouts

/// A place among those who watch a workout.
final class WorkoutWatch: Sendable {
    fileprivate let send: @Sendable ([UInt8]) -> Void
    private let watchers: WorkoutWatchers

    fileprivate init(
        _ watchers: WorkoutWatchers, _ send: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.watchers = watchers
        self.send = send
    }

    /// Ends it.
    func cancel() { watchers.remove(self) }
}

/// Those who watch a workout, each on a connection of its own.
final class WorkoutWatchers: Sendable {
    private let watches = Mutex<[WorkoutWatch]>([])

    /// Whether nobody watches.
    var isEmpty: Bool { watches.withLock(\.isEmpty) }

    func add(_ send: @escaping @Sendable ([UInt8]) -> Void) -> WorkoutWatch {
        let watch = WorkoutWatch(self, send)
        watches.withLock { $0.append(watch) }
        return watch
    }

    func remove(_ watch: WorkoutWatch) {
        watches.withLock { $0.removeAll { $0 === watch } }
    }

    /// Sends how the workout is doing.
    func tell(_ live: @autoclosure () -> LiveWorkout) {
        let watches = watches.withLock { $0 }
        guard !watches.isEmpty else { return }
        let line = WorkoutLines.live(live())
        for watch in watches { watch.send(line) }
    }

    /// Says that the workout is over, and whether it is saved.
    func finish(savedAs id: RecordID? = nil) {
        let watches = watches.withLock { watches in
            defer { watches = [] }
            return watches
        }
        let line = WorkoutLines.ended(savedAs: id)
        for watch in watches { watch.send(line) }
    }
}
