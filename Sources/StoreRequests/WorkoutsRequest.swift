import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import JSON
import SQLiteStore
import WorkoutService

extension RequestHandler {
    /// `workouts`: answered with the stored workouts, newest first, then with their number.
    static let workouts = RequestHandler("workouts", for: .everyone) { request, service, channel in
        let wanted = try WorkoutsRequest(request.parameters)
        try service.check(channel.client, reads: .workout)
        try await wanted.answer(service, channel)
        return nil
    }
}

/// The workouts that a client asks for.
private struct WorkoutsRequest {
    private static let usualLimit = 100
    private static let maximumLimit = 1_000

    private let person: ConfigurationNode?
    private let activity: ConfigurationNode?
    private let from: Instant?
    private let to: Instant?
    private let limit: Int

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: ["person", "from", "to", "activity", "limit"])
        person = object["person"]
        activity = object["activity"]
        from = try object["from"]?.time()
        to = try object["to"]?.time()
        limit = try object["limit"]?.integer(in: 1...Self.maximumLimit) ?? Self.usualLimit
    }

    /// Reads page by page: those that the client may not read do not take the place of others.
    func answer(_ service: GatewayService, _ channel: any ResponseChannel) async throws {
        let store = try await service.openStore()
        let activity = try await activity(in: store, service, channel.client)
        var query = RecordQuery(type: .workout, from: from, to: to, order: .newestFirst)
        if let person {
            query.person = try await RequestedPerson(
                person, service.peopleNames(), in: store, of: channel.client
            ).name
        }
        var (answer, lines) = (LongAnswer(channel), ChangeLines())
        reading: for try await page in store.pages(matching: query, types: await service.types()) {
            // Asked for each page: a decision takes effect at once.
            let readable = service.readable(by: channel.client)
            for record in page {
                guard readable?.permits(record) ?? true, record.has(activity) else { continue }
                try await answer.add { lines.append(record, to: &$0) }
                if answer.count == limit { break reading }
            }
        }
        answer.end("workouts") { $0.field("records", answer.count) }
    }

    /// The activity by its name; the custom ones are listed for the owner only.
    private func activity(
        in store: SQLiteStore, _ service: GatewayService, _ client: ServiceClient
    ) async throws -> WorkoutActivity? {
        guard let activity else { return nil }
        let name = try activity.string()
        if !client.isOwner, let custom = WorkoutActivity(customName: name) { return custom }
        let declared = await service.workouts.dependencies.activities()
        do {
            return try await StoredActivity.named(name, among: declared, in: store)
        } catch let unknown as StoredActivity.Unknown {
            throw activity.error(unknown.description)
        }
    }
}

extension Record {
    /// Whether this is a workout of an activity; nil for any.
    fileprivate func has(_ activity: WorkoutActivity?) -> Bool {
        guard let activity, case .workout(let workout) = self else { return true }
        return workout.activity == activity
    }
}
