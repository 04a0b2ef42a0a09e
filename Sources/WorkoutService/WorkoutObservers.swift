import HealthModel
import Synchronization
package import Workouts

/// A subscription to the states of all workouts.
package final class WorkoutObservation: Sendable {
    fileprivate let receive: @Sendable (_ person: String, LiveWorkout?) -> Void
    private let observers: WorkoutObservers

    fileprivate init(
        _ observers: WorkoutObservers,
        _ receive: @escaping @Sendable (_ person: String, LiveWorkout?) -> Void
    ) {
        self.observers = observers
        self.receive = receive
    }

    /// Cancels the subscription.
    package func cancel() { observers.remove(self) }
}

/// The observers of all workouts of a gateway.
final class WorkoutObservers: Sendable {
    private let observations = Mutex<[WorkoutObservation]>([])

    /// Whether there is no observer.
    var isEmpty: Bool { observations.withLock(\.isEmpty) }

    fileprivate func add(
        _ receive: @escaping @Sendable (_ person: String, LiveWorkout?) -> Void
    ) -> WorkoutObservation {
        let observation = WorkoutObservation(self, receive)
        observations.withLock { $0.append(observation) }
        return observation
    }

    fileprivate func remove(_ observation: WorkoutObservation) {
        observations.withLock { $0.removeAll { $0 === observation } }
    }

    /// Sends the state of a person's workout; nil at its end.
    func send(_ live: LiveWorkout?, of person: String) {
        for observation in observations.withLock({ $0 }) { observation.receive(person, live) }
    }
}

extension WorkoutManager {
    /// Calls a function with the state of each workout at once, every second and at every change, and
    /// with nil when a workout has ended.
    ///
    /// It is called in order and must return immediately.
    package func observe(
        _ receive: @escaping @Sendable (_ person: String, LiveWorkout?) -> Void
    ) -> WorkoutObservation {
        let now = dependencies.now()
        for (person, workout) in workouts { receive(person, workout.snapshot(at: now)) }
        return observers.add(receive)
    }

    /// Sends the state of a workout to its watchers and to the observers.
    func sendState(of workout: RunningWorkout, _ live: LiveWorkout? = nil) {
        guard !workout.watchers.isEmpty || !observers.isEmpty else { return }
        let live = live ?? workout.snapshot(at: dependencies.now())
        workout.watchers.send(live)
        observers.send(live, of: live.person)
    }

    /// Sends the end of a workout, whose record has an id when it was saved.
    func sendEnd(of workout: RunningWorkout, savedAs id: RecordID? = nil) {
        workout.watchers.finish(savedAs: id)
        observers.send(nil, of: workout.session.person)
    }
}
