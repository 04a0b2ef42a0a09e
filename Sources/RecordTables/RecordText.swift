package import HealthModel
import WorkoutScreens

/// The content of workouts and device events in words.
package enum RecordText {
    /// `35 min 12 s, activeEnergyBurned 310 kcal, heartRate 132 count/min`.
    package static func summary(of workout: Workout) -> String {
        let totals = workout.totals.compactMap { total in
            (total.sum ?? total.average).map {
                "\(total.type.name) \(HumanQuantity.text($0, total.type))"
            }
        }
        return ([HumanQuantity.duration(seconds: workout.seconds)] + totals)
            .joined(separator: ", ")
    }

    /// `("battery", "50 %")`: what has changed, and its new state.
    package static func words(for state: DeviceState) -> (what: String, state: String) {
        if let connection = state.connection { return ("connection", connection.rawValue) }
        if let contact = state.contact { return ("contact", contact ? "yes" : "no") }
        if let battery = state.battery { return ("battery", HumanQuantity.percent(battery)) }
        return ("device", "known")
    }
}
