import GatewayCore
import GatewayHost
import HealthModel
import JSON
import SQLiteStore
import WorkoutService

extension RequestHandler {
    /// `summary`: answered with the energy of a day, or the averages of a month, as `summary` prints them.
    static func summary(_ limiter: RequestLimiter) -> RequestHandler {
        RequestHandler("summary", for: .everyone) { request, service, channel in
            let wanted = try SummaryRequest(request.parameters)
            for type in wanted.types {
                try service.check(channel.client, reads: .quantity(type))
            }
            try await limiter.run(channel) {
                channel.send(try await wanted.line(service, channel.client))
            }
            return nil
        }
    }
}

/// The summary that a client asks for.
private struct SummaryRequest {
    private enum Period: String, CaseIterable {
        case day, month
    }

    private let period: Period
    private let date: CalendarDate?
    private let person: ConfigurationNode?

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: ["period", "date", "person"])
        let words = Period.allCases.map(\.rawValue)
        period = Period(rawValue: try object.require("period").choice(of: words)) ?? .day
        person = object["person"]
        date = try object["date"].map { node throws(ConfigurationError) in
            guard let date = CalendarDate(iso8601: try node.string()) else {
                throw node.error("expected a date such as 2026-11-21")
            }
            guard SummaryReader.hasBounds(date) else { throw node.error(SummaryReader.dateRule) }
            return date
        }
    }

    var types: [QuantityType] {
        switch period {
        case .day: SummaryReader.energies
        case .month: SummaryReader.movements
        }
    }

    /// The resting energy is estimated from facts about the person, which only the owner may see.
    func line(
        _ service: GatewayService, _ client: ServiceClient
    ) async throws -> [UInt8] {
        let store = try await service.openStore()
        let dependencies = await service.workouts.dependencies
        let people = await dependencies.people()
        let requested =
            if let person {
                try await RequestedPerson(person, people.names, in: store, of: client)
            } else {
                try RequestedPerson(people)
            }
        let reader = SummaryReader(
            store: store, people: people, personName: requested.filter,
            calendar: dependencies.calendar)
        let now = dependencies.now()
        let date = date ?? dependencies.calendar.date(at: now)
        let facts = client.isOwner ? requested.name.flatMap { people.person(named: $0) } : nil
        switch period {
        case .day:
            let day = try await reader.day(date, of: facts, until: now)
            return JSONLine.make {
                $0.object("summary") { day.write(to: &$0, person: requested.filter) }
            }
        case .month:
            let month = try await reader.month(before: date)
            return JSONLine.make {
                $0.object("summary") { month.write(to: &$0, person: requested.filter) }
            }
        }
    }
}
