import GatewayCore
import GatewayHost
import HealthModel
import Workouts

/// Watchers that may read the same: a line for one of them is a line for all.
struct LiveAudience: Sendable {
    /// The number, which no other audience has.
    let number: Int
    /// What they may read; nil for everything.
    let decisions: AccessDecisions?

    /// Whether the number of dropped records may be sent: that of all types.
    var readsEverything: Bool { decisions?.isEverything ?? true }

    private func reads(_ type: String) -> Bool {
        decisions.map { $0.decision(on: type) == .granted } ?? true
    }

    /// What they may see of a state; nil parts are not for them.
    func visible(of shown: FollowedPerson.Shown) -> (
        heart: LiveHeart?, values: [LiveValue], workout: LiveWorkout?
    ) {
        guard let decisions else { return (shown.heart, shown.values, shown.workout) }
        let seesEvents = reads(StoredRecords.eventName)
        let heart = seesEvents ? shown.heart : shown.heart.withoutEvents
        let seesWorkout = decisions.permitsLiveWorkouts
        return (
            reads(QuantityType.heartRate.name) ? heart : nil,
            shown.values.filter { reads($0.type.name) }, seesWorkout ? shown.workout : nil
        )
    }
}
