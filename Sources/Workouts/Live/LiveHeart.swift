import HealthModel
package import JSON

/// The present heart rate of a person, for display.
package struct LiveHeart: Hashable, Sendable {
    /// The rate, or why there is none.
    package var state: LiveWorkout.Heart
    /// The state instead of a lost contact, for a reader who must not see device events.
    package var silence = LiveWorkout.Heart.waiting
    /// The number of zones; nil when they are unknown.
    package var zoneCount: Int?
    /// The maximum heart rate, in count/min; nil when it is unknown.
    package var maximum: Double?
    /// The charge of the device from 0 to 1; nil when it is unknown.
    package var battery: Double?

    /// Creates a state without further facts.
    package init(_ state: LiveWorkout.Heart) { self.state = state }

    /// The same for a reader who must not see device events: no contact and no battery.
    package var withoutEvents: LiveHeart {
        var heart = self
        heart.battery = nil
        if case .noContact = state { heart.state = silence }
        return heart
    }

    /// Writes the fields; a number only with a fresh reading.
    package func write(to json: inout JSONWriter) {
        WorkoutWire.write(state, to: &json)
        switch state {
        case .rate(let rate, let zone, _, _):
            if zone != nil, let zoneCount { json.field("zones", Int64(zoneCount)) }
            if let maximum, maximum > 0 {
                json.field("percent", (rate / maximum * 100).rounded())
            }
            writeBattery(to: &json)
        case .noContact: writeBattery(to: &json)
        case .waiting, .lost: break
        }
    }

    private func writeBattery(to json: inout JSONWriter) {
        json.field("battery", battery.map { ($0 * 100).rounded() })
    }
}
