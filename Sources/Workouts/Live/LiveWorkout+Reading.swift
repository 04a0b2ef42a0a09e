import GatewayCore
import HealthModel
package import JSON

/// Reading what a gateway wrote, perhaps one of another version: keys that are not known are skipped.
extension WorkoutWire {
    /// More points than a plot has are none of a gateway's.
    package static let maximumPointCount = 10_000
    /// More zones than anybody has are none of a gateway's.
    package static let maximumZoneCount = ZoneSettings.maximumBoundaryCount + 1

    /// Reads a line as ``line(_:)`` writes it; nil when it is of something else.
    /// - Throws: when a value is of another kind than it should be, or one that must be there is missing.
    package static func read(line: some Collection<UInt8>) throws(JSONError) -> LiveWorkout? {
        let value = try JSONValue(json5: String(decoding: line, as: UTF8.self))
        let fields = try DocumentNode(path: "", value: value).entries()
        guard let live = fields.first(where: { $0.key == key })?.node else { return nil }
        return try read(live)
    }

    /// Reads the fields of a live workout.
    package static func read(_ node: DocumentNode) throws(JSONError) -> LiveWorkout {
        let fields = try DocumentFields(node)
        guard let id = RecordID(uuidString: try fields.text("id") ?? "") else {
            throw node.error("no id")
        }
        guard let at = try fields.time("at"), let start = try fields.time("start") else {
            throw node.error("no time")
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
            throw node.error("no activity")
        }
        return activity
    }

    /// One of the known words.
    private static func choice<Value: CaseIterable>(
        _ key: String, in node: DocumentNode, _ fields: DocumentFields,
        by name: (Value) -> String
    ) throws(JSONError) -> Value {
        let word = try fields.text(key) ?? ""
        guard let value = Value.allCases.first(where: { name($0) == word }) else {
            throw node.error("the \(key) is unknown")
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
        // What a newer gateway knows besides is no rate at any rate.
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
        measures.rmssdMilliseconds = try fields.number("rmssdMilliseconds")
        return measures
    }

    /// A spread whose numbers are all there.
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
            rest: try fields.text("rest") ?? "",
            advice: try fields.text("advice").flatMap(LiveWorkout.Advice.init(rawValue:)))
    }
}
