import GatewayCore
import GatewayHost
import HealthModel
import HealthStatistics
import JSON
import SQLiteStore
import WorkoutService

extension RequestHandler {
    /// `statistics`: answered with a line for each step of the local calendar, then with their number.
    static func statistics(_ limiter: RequestLimiter) -> RequestHandler {
        RequestHandler("statistics", for: .everyone) { request, service, channel in
            let wanted = try StatisticsRequest(request.parameters.knowing(await service.types()))
            try service.check(channel.client, reads: .quantity(wanted.type))
            try await limiter.run(channel) { try await wanted.answer(service, channel) }
            return nil
        }
    }
}

/// The statistics that a client asks for.
private struct StatisticsRequest {
    /// The maximum number of steps: a year of hours.
    private static let rowLimit = 10_000

    private static let steps: [(word: String, step: CalendarStep?)] = [
        ("none", nil), ("hour", CalendarStep(1, .hour)), ("day", CalendarStep(1, .day)),
        ("week", CalendarStep(1, .week)), ("month", CalendarStep(1, .month)),
    ]

    let type: QuantityType
    private let from: Instant?
    private let to: Instant?
    private let step: CalendarStep?
    private let device: String?
    private let person: ConfigurationNode?

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(
            keys: ["type", "person", "from", "to", "bucket", "device"])
        let typeNode = try object.require("type")
        let name = try typeNode.string()
        if typeNode.types.named(name) == nil, RecordType.other(named: name) != nil {
            throw typeNode.error(
                "`\(name)` is not a quantity type; only quantities have statistics")
        }
        type = try typeNode.quantityType(named: name)
        from = try object["from"]?.time()
        to = try object["to"]?.time()
        if let from, let to, from >= to {
            throw ConfigurationError(path: "from", problem: "must be before `to`")
        }
        let word = try object["bucket"]?.choice(of: Self.steps.map(\.word))
        step = Self.steps.first { $0.word == word }?.step
        device = try object["device"]?.string()
        person = object["person"]
    }

    func answer(_ service: GatewayService, _ channel: any ResponseChannel) async throws {
        let store = try await service.openStore()
        let dependencies = await service.workouts.dependencies
        let people = await dependencies.people()
        let person =
            if let node = self.person {
                try await RequestedPerson(node, people.names, in: store, of: channel.client)
            } else {
                try RequestedPerson(people)
            }
        let reader = StatisticsReader(
            store: store, query: SampleQuery(type: type, device: device, person: person.filter),
            people: people)
        let spans = try await reader.spans(
            from: from, to: to ?? dependencies.now(), by: step, dependencies.calendar,
            limit: Self.rowLimit)
        guard let spans else {
            throw ConfigurationError(
                path: "bucket",
                problem: "more than \(Self.rowLimit) steps; use a longer one or a later `from`")
        }
        var answer = LongAnswer(channel)
        for row in try await reader.rows(in: spans) {
            try await answer.add { lines in
                lines += JSONLine.make {
                    row.write(to: &$0, type, in: type.canonicalUnit, of: person.name)
                }
            }
        }
        answer.end("statistics") { $0.field("rows", answer.count) }
    }
}
