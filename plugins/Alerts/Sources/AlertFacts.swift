import JSON

/// What alerts are decided by: the parts of the gateway's status that they need, and the running workouts.
struct AlertFacts: Hashable, Sendable {
    /// A device.
    struct Device: Hashable, Sendable {
        var identifier = ""
        var name: String?
        var person: String?
        /// The charge from 0 to 1; nil when it is unknown.
        var battery: Double?
        /// The time since its last data; nil when it was never seen.
        var silentSeconds: Double?

        /// Its name, if it has one, and its identifier.
        var title: String { name.map { "\($0) (\(identifier))" } ?? identifier }
    }

    /// A sink or a source.
    struct Part: Hashable, Sendable {
        var name = ""
        /// The reason why it fails; nil when it works.
        var failure: String?
    }

    var devices: [Device] = []
    var sinks: [Part] = []
    var sources: [Part] = []
    /// The time since the start of each person's running workout.
    var workoutSeconds: [String: Double] = [:]
}

extension AlertFacts {
    /// Reads the answers to the requests `status` and `workout`.
    ///
    /// - Throws: ``JSONError`` when one is not as a gateway answers.
    init(status: [UInt8], workouts: [UInt8]) throws(JSONError) {
        let fields = try Self.fields(status)
        devices = try fields.objects("devices") { fields throws(JSONError) in
            Device(
                identifier: try fields.text("device") ?? "", name: try fields.text("name"),
                person: try fields.text("person"), battery: try fields.number("battery"),
                silentSeconds: try fields.number("silentSeconds"))
        }
        sinks = try fields.objects("sinks", Self.part)
        sources = try fields.objects("sources", Self.part)
        let running = try Self.fields(workouts).objects("workouts") { fields throws(JSONError) in
            let seconds = try fields.object("measures") { measures throws(JSONError) in
                try measures.number("elapsedSeconds") ?? 0
            }
            return (
                person: try fields.text("person"), state: try fields.text("state"),
                seconds: seconds ?? 0
            )
        }
        for workout in running where workout.state == "running" {
            if let person = workout.person { workoutSeconds[person] = workout.seconds }
        }
    }

    private static func fields(_ line: [UInt8]) throws(JSONError) -> DocumentFields {
        let value = try JSONValue(json5: String(decoding: line, as: UTF8.self))
        return try DocumentFields(DocumentNode(path: "", value: value))
    }

    private static func part(_ fields: DocumentFields) throws(JSONError) -> Part {
        let isHealthy = try fields.flag("healthy") ?? true
        let reason = try fields.text("reason") ?? "unknown reason"
        return Part(name: try fields.text("name") ?? "", failure: isHealthy ? nil : reason)
    }
}
