package import GatewayCore
package import HealthModel
import WorkoutService
package import Workouts

/// What live displays need beside the records of the live lane.
extension GatewayService {
    /// A person and the facts that the display of a heart rate needs.
    package struct LiveSubject: Sendable {
        /// The person.
        package let person: Person
        /// The zones, the maximum heart rate and the roles of the devices.
        package let subject: WorkoutSubject
    }

    /// Reads the people and the facts about them.
    ///
    /// It reads the store only when somebody has zones of the heart rate reserve, which need the newest
    /// resting heart rate.
    package func liveSubjects() async -> [LiveSubject] {
        let people = await gateway.people()
        let needsStore = people.people.contains { $0.zones?.basis == .reserve }
        let reader = WorkoutSubjectReader(
            store: needsStore ? try? await store.file().open() : nil, people: people,
            activities: Activities(), calendar: .system)
        let now = now()
        var subjects: [LiveSubject] = []
        for name in people.names {
            guard let person = people.person(named: name) else { continue }
            let subject = await reader.subject(name, activity: WorkoutActivity(.other), at: now)
            subjects.append(LiveSubject(person: person, subject: subject))
        }
        return subjects
    }

    /// Calls a function after each reload that has succeeded; a change of people is one, too.
    package func observeReloads(_ observer: @escaping @Sendable () -> Void) {
        reloads?.observe(observer)
    }
}

extension AccessDecisions {
    /// Whether all types are granted that the live values of a workout contain.
    package var permitsLiveWorkouts: Bool {
        AccessTypes.liveWorkout.allSatisfy { decision(on: $0) == .granted }
    }
}
