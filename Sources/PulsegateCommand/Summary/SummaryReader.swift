import GatewayCore
import HealthModel
import HealthStore

/// The energy of a day, as far as it has passed.
struct DaySummary {
    let date: CalendarDate
    let span: Range<Instant>
    /// Whether the day is not over.
    let isPartial: Bool
    let balance: EnergyBalance
    /// Why the resting energy is not known; nil when it is.
    let problem: String?
}

/// The movement on an average day of a month.
struct MonthSummary {
    let first: CalendarDate
    /// The day after the last one.
    let end: CalendarDate
    let dayCount: Int
    /// By type; nil where no day has a sample.
    let averages: [(type: QuantityType, average: DailyAverage?)]
}

/// Reads what a summary is made of.
struct SummaryReader {
    /// What a month is summed up by.
    private static let movements: [QuantityType] = [
        .stepCount, .distanceWalkingRunning, .flightsClimbed,
    ]
    /// So many of the newest masses and heights are looked at.
    private static let latestCount = 100

    let store: HealthStore
    let people: People
    /// Nil where there is only one person, whose everything is.
    let personName: String?
    let calendar: LocalCalendar

    // MARK: A day

    func day(
        _ date: CalendarDate, of person: Person?, until now: Instant
    ) async throws(CommandFailure) -> DaySummary {
        guard let next = date.adding(days: 1) else {
            throw CommandFailure(.usage, "--date: there is no day after that")
        }
        let whole = calendar.span(from: date, until: next)
        let span = whole.lowerBound..<max(min(whole.upperBound, now), whole.lowerBound)
        var problem: String?
        let resting: EnergyBalance.Resting
        if let measured = try await sum(of: .basalEnergyBurned, in: span) {
            resting = .measured(measured)
        } else {
            do {
                resting = .estimated(try await estimate(of: person, on: date, span))
            } catch let error as PersonalFactError {
                resting = .unknown
                problem = "\(error)"
            } catch {
                throw CommandFailure(.failure, "\(error)")
            }
        }
        return DaySummary(
            date: date, span: span, isPartial: span.upperBound < whole.upperBound,
            balance: EnergyBalance(
                active: try await sum(of: .activeEnergyBurned, in: span), resting: resting,
                consumed: try await sum(of: .dietaryEnergyConsumed, in: span)),
            problem: problem)
    }

    /// The resting energy of a span of a day by the equation.
    private func estimate(
        of person: Person?, on date: CalendarDate, _ span: Range<Instant>
    ) async throws -> Quantity {
        let unknown = try Person(name: People.onlyPerson)
        let perDay = try RestingEnergy.perDay(
            of: person ?? unknown, bodyMass: try await latest(.bodyMass, before: span.upperBound),
            height: try await latest(.height, before: span.upperBound), on: date)
        let days = Double(span.upperBound.nanoseconds(since: span.lowerBound)) / 86_400e9
        return try Quantity(perDay.value(in: .kilocaloriePerDay) * days, .kilocalorie)
    }

    private func latest(_ type: QuantityType, before end: Instant) async throws -> Quantity? {
        try await store.samples(
            matching: SampleQuery(
                type: type, to: end, person: personName, limit: Self.latestCount,
                order: .newestFirst)
        ).first { $0.end <= end }?.quantity
    }

    private func sum(
        of type: QuantityType, in span: Range<Instant>
    ) async throws(CommandFailure) -> Quantity? {
        guard !span.isEmpty else { return nil }
        return try await reader(of: type).rows(in: [span]).first?.statistics.sum
    }

    private func reader(of type: QuantityType) -> StatisticsReader {
        StatisticsReader(
            store: store, query: SampleQuery(type: type, person: personName), people: people)
    }

    // MARK: A month

    func month(before end: CalendarDate) async throws(CommandFailure) -> MonthSummary {
        guard let first = end.adding(months: -1), let step = CalendarStep(1, .day),
            let days = calendar.steps(of: calendar.span(from: first, until: end), by: step)
        else { throw CommandFailure(.usage, "--date: there is no month before that") }
        var averages: [(type: QuantityType, average: DailyAverage?)] = []
        for type in Self.movements {
            let rows = try await reader(of: type).rows(in: days)
            averages.append((type, DailyAverage(of: rows.map(\.statistics))))
        }
        return MonthSummary(first: first, end: end, dayCount: days.count, averages: averages)
    }
}
