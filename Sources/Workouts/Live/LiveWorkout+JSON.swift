import GatewayCore
import HealthModel
package import JSON

/// The wire format of a live workout: one line of JSON for screens and programs.
///
/// Unknown values are omitted. Keys may be added; their meaning never changes.
package enum WorkoutWire {
    /// The key of the object in a line.
    package static let key = "live"

    /// `{"live":{…}}`, without a line end.
    package static func line(_ live: LiveWorkout) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.object(key) { write(live, to: &$0) }
        }
        return json.bytes
    }

    /// Writes the fields of a live workout.
    package static func write(_ live: LiveWorkout, to json: inout JSONWriter) {
        json.field("id", live.id.description)
        json.field("person", live.person)
        json.field("activity", live.activity.name)
        json.field("activityNumber", Int64(clamping: live.activity.number))
        json.field("location", live.location.name)
        json.field("state", live.state.name)
        json.field("at", live.at.description)
        json.field("start", live.start.description)
        json.object("heart") { write(live.heart, to: &$0) }
        json.object("measures") { live.measures.write(to: &$0) }
        json.field("lapNumber", Int64(live.lapNumber))
        json.object("lap") { live.lap.write(to: &$0) }
        json.field("speed", live.speed)
        json.field("cadence", live.cadence)
        json.field("power", live.power)
        json.field("rmssdMilliseconds", live.rmssdMilliseconds)
        json.numbers("zoneBounds", live.zoneBounds.filter(\.isFinite))
        writePlot(live.plot, to: &json)
        if let step = live.step {
            json.object("step") { write(step, to: &$0) }
        }
        json.field("gaps", Int64(live.gapCount))
        if live.isSaved { json.field("saved", true) }
    }

    static func write(_ heart: LiveWorkout.Heart, to json: inout JSONWriter) {
        switch heart {
        case .waiting:
            json.field("state", HeartState.waiting.rawValue)
        case .rate(let rate, let zone, let device, let isBackup):
            json.field("state", HeartState.measured.rawValue)
            json.field("rate", rate)
            if let zone { json.field("zone", Int64(zone)) }
            json.field("device", device)
            json.field("backup", isBackup)
        case .noContact(let device):
            json.field("state", HeartState.noContact.rawValue)
            json.field("device", device)
        case .lost(let device):
            json.field("state", HeartState.lost.rawValue)
            json.field("device", device)
        }
    }

    /// Writes the plot as two lists, which are shorter than hundreds of objects.
    private static func writePlot(_ plot: [LiveWorkout.Point], to json: inout JSONWriter) {
        let points = plot.filter { $0.secondsAgo.isFinite && $0.rate.isFinite }
        json.object("plot") { json in
            json.numbers("secondsAgo", points.map(\.secondsAgo))
            json.numbers("rate", points.map(\.rate))
        }
    }

    private static func write(_ step: LiveWorkout.Step, to json: inout JSONWriter) {
        json.field("number", Int64(step.number))
        json.field("count", Int64(step.count))
        json.field("name", step.name)
        json.field("progress", step.progress)
        json.field("rest", step.remaining)
        json.field("advice", step.advice?.rawValue)
    }

    /// The state of the heart rate on the wire.
    package enum HeartState: String, CaseIterable {
        case waiting, measured, noContact, lost
    }
}
