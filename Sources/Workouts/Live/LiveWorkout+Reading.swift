import GatewayCore
import HealthModel
package import JSON

/// Decoding of the wire format, also of another gateway version: unknown keys are skipped.
extension WorkoutWire {
    /// The maximum number of points in a plot.
    package static let maximumPointCount = 10_000
    /// The maximum number of zones.
    package static let maximumZoneCount = ZoneSettings.maximumBoundaryCount + 1

    /// Decodes a line of ``line(_:)``; nil when it is another message.
    /// - Throws: when a value has the wrong type, or a required one is missing.
    package static func read(line: some Collection<UInt8>) throws(JSONError) -> LiveWorkout? {
        let value = try JSONValue(json5: String(decoding: line, as: UTF8.self))
        let fields = try DocumentNode(path: "", value: value).entries()
        guard let live = fields.first(where: { $0.key == key })?.node else { return nil }
        return try read(live)
    }

    /// Decodes the fields of a live workout.
    package static func read(_ node: DocumentNode) throws(JSONError) -> LiveWorkout {
        let fields = try DocumentFields(node)
        guard let id = RecordID(uuidString: try fields.text("id") ?? "") else {
            throw node.error("`id` must be a UUID")
        }
        guard let at = try fields.time("at"), let start = try fields.time("start") else {
            throw node.error("`at` and `start` are required")
        }
        var live = LiveWorkout(
            id: id, person: try fields.text("person") ?? "", activity: try activity(node, fields),
            location: try choice("location", in: node, fields, by: \.name),
            state: try choice("state", in: node, fields, by: \.name), at: at, start: start)
        live.heart = try fields.object("heart", heart) ?? .waiting
        live.measures = try fields.object("measures", measures) ?? WorkoutMeasures()
        live.lapNumber = Int(try fields.count("lapNumber"))
        live.lap = try fields.object("lap", measures) ?? WorkoutMeasures()
        live.speed = try fields.number("speed")
        live.cadence = try fields.number("cadence")
        live.power = try fields.number("power")
        live.rmssdMilliseconds = try fields.number("rmssdMilliseconds")
        live.zoneBounds = try fields.numbers("zoneBounds", most: maximumZoneCount)
        live.plot = try fields.object("plot", plot) ?? []
        live.step = try fields.object("step", step)
        live.gapCount = Int(try fields.count("gaps"))
        live.isSaved = try fields.flag("saved") ?? false
        return live
    }

    private static func activity(
        _ node: DocumentNode, _ fields: DocumentFields
    ) throws(JSONError) -> WorkoutActivity {
        let number = UInt(try fields.count("activityNumber"))
        let name = try fields.text("activity") ?? ""
        if number == WorkoutActivityType.other.rawValue,
            let own = WorkoutActivity(customName: name)
        {
            return own
        }
        guard let activity = WorkoutActivity(number: number) else {
            throw node.error("`activity` or `activityNumber` is required")
        }
        return activity
    }

    /// Decodes an enumeration value by its name.
    private static func choice<Value: CaseIterable>(
        _ key: String, in node: DocumentNode, _ fields: DocumentFields,
        by name: (Value) -> String
    ) throws(JSONError) -> Value {
        let word = try fields.text(key) ?? ""
        guard let value = Value.allCases.first(where: { name($0) == word }) else {
            throw node.error("unknown \(key)")
        }
        return value
    }

    private static func heart(
        _ fields: DocumentFields
    ) throws(JSONError) -> LiveWorkout.Heart {
        let device = try fields.text("device")
        switch HeartState(rawValue: try fields.text("state") ?? "") {
        case .measured:
            guard let rate = try fields.number("rate") else { return .lost(device: device) }
            let zone = try fields.has("zone") ? Int(fields.count("zone")) : nil
            return .rate(
                rate, zone: zone, device: device, isBackup: try fields.flag("backup") ?? false)
        case .noContact: return .noContact(device: device)
        case .lost: return .lost(device: device)
        // A state of a newer gateway has no rate to show.
        case .waiting, nil: return .waiting
        }
    }

    private static func measures(
        _ fields: DocumentFields
    ) throws(JSONError) -> WorkoutMeasures {
        var measures = WorkoutMeasures()
        measures.elapsedSeconds = try fields.number("elapsedSeconds") ?? 0
        measures.activeSeconds = try fields.number("activeSeconds") ?? 0
        measures.heartRate = try fields.object("heartRate", spread) ?? nil
        measures.zoneSeconds = try fields.numbers("zoneSeconds", most: maximumZoneCount)
        measures.energyKilocalories = try fields.number("energyKilocalories")
        measures.energyMethods = Set(
            try fields.texts("energyMethods").compactMap(EnergyMethod.init(rawValue:)))
        measures.distanceMeters = try fields.number("distanceMeters")
        measures.stepCount = try fields.number("stepCount")
        measures.cadence = try fields.object("cadence", spread) ?? nil
        measures.speed = try fields.object("speed", spread) ?? nil
        measures.power = try fields.object("power", spread) ?? nil
        measures.workKilojoules = try fields.number("workKilojoules")
        measures.rmssdMilliseconds = try fields.number("rmssdMilliseconds")
        return measures
    }

    /// A spread; nil when one of its numbers is missing.
    private static func spread(
        _ fields: DocumentFields
    ) throws(JSONError) -> WorkoutMeasures.Spread? {
        guard let average = try fields.number("average"),
            let minimum = try fields.number("minimum"), let maximum = try fields.number("maximum")
        else { return nil }
        return WorkoutMeasures.Spread(average: average, minimum: minimum, maximum: maximum)
    }

    private static func plot(
        _ fields: DocumentFields
    ) throws(JSONError) -> [LiveWorkout.Point] {
        let times = try fields.numbers("secondsAgo", most: maximumPointCount)
        let rates = try fields.numbers("rate", most: maximumPointCount)
        return zip(times, rates).map { LiveWorkout.Point(secondsAgo: $0, rate: $1) }
    }

    private static func step(_ fields: DocumentFields) throws(JSONError) -> LiveWorkout.Step {
        LiveWorkout.Step(
            number: Int(try fields.count("number")), count: Int(try fields.count("count")),
            name: try fields.text("name") ?? "", progress: try fields.number("progress"),
            remaining: try fields.text("rest") ?? "",
            advice: try fields.text("advice").flatMap(LiveWorkout.Advice.init(rawValue:)))
    }
}
