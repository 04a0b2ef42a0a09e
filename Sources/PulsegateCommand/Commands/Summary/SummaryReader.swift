import GatewayCore
import GatewayHost
import HealthModel
import HealthStatistics
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

    /// So little time without a measurement is none: samples need not touch to the second.
    private static let toleratedSeconds = 60.0

    let store: HealthStore
    let people: People
    /// Nil where there is only one person, whose everything is.
    let personName: String?
    let calendar: LocalCalendar

    // MARK: A day

    func day(
        _ date: CalendarDate, of person: Person?, until now: Instant
    ) async throws(HostError) -> DaySummary {
        guard let next = date.adding(days: 1) else {
            throw HostError(.usage, "--date: there is no day after that")
        }
        let whole = calendar.span(from: date, until: next)
        let span = whole.lowerBound..<max(min(whole.upperBound, now), whole.lowerBound)
        let (resting, problem) = try await resting(of: person, on: date, span)
        return DaySummary(
            date: date, span: span, isPartial: span.upperBound < whole.upperBound,
            balance: EnergyBalance(
                active: try await sum(of: .activeEnergyBurned, in: span), resting: resting,
                consumed: try await sum(of: .dietaryEnergyConsumed, in: span)),
            problem: problem)
    }

    /// What was measured of the resting energy, and the equation where nothing was.
    private func resting(
        of person: Person?, on date: CalendarDate, _ span: Range<Instant>
    ) async throws(HostError) -> (EnergyBalance.Resting, problem: String?) {
        let statistics = try await statistics(of: .basalEnergyBurned, in: span)
        let measured = statistics?.sum
        let seconds = span.seconds - (statistics?.seconds ?? 0)
        if let measured, seconds < Self.toleratedSeconds { return (.measured(measured), nil) }
        do {
            let estimate = try await estimate(of: person, on: date, span, seconds: seconds)
            guard let measured else { return (.estimated(estimate), nil) }
            return (.completed(try measured.adding(estimate)), nil)
        } catch let error as PersonalFactError {
            return (measured.map { .partial($0) } ?? .unknown, "\(error)")
        } catch {
            throw HostError(.failure, "\(error)")
        }
    }

    /// The resting energy of some seconds of a day by the equation.
    private func estimate(
        of person: Person?, on date: CalendarDate, _ span: Range<Instant>, seconds: Double
    ) async throws -> Quantity {
        let unknown = try Person(name: People.defaultPerson)
        let perDay = try RestingEnergy.perDay(
            of: person ?? unknown, bodyMass: try await latest(.bodyMass, before: span.upperBound),
            height: try await latest(.height, before: span.upperBound), on: date)
        return try Quantity(
            perDay.value(in: .kilocaloriePerDay) * (seconds / 86_400), .kilocalorie)
    }

    /// The newest one that is not dated later, as for the body-mass index.
    private func latest(_ type: QuantityType, before end: Instant) async throws -> Quantity? {
        try await store.newest(type, of: personName, until: end).latest(type, until: end)?.quantity
    }

    private func sum(
        of type: QuantityType, in span: Range<Instant>
    ) async throws(HostError) -> Quantity? {
        try await statistics(of: type, in: span)?.sum
    }

    private func statistics(
        of type: QuantityType, in span: Range<Instant>
    ) async throws(HostError) -> Statistics? {
        guard !span.isEmpty else { return nil }
        return try await reader(of: type).rows(in: [span]).first?.statistics
    }

    private func reader(of type: QuantityType) -> StatisticsReader {
        StatisticsReader(
            store: store, query: SampleQuery(type: type, person: personName), people: people)
    }

    // MARK: A month

    func month(before end: CalendarDate) async throws(HostError) -> MonthSummary {
        guard let first = end.adding(months: -1), let step = CalendarStep(1, .day),
            let days = calendar.steps(of: calendar.span(from: first, until: end), by: step),
            !days.isEmpty
        else { throw HostError(.usage, "--date: there is no month before that") }
        var averages: [(type: QuantityType, average: DailyAverage?)] = []
        for type in Self.movements {
            let rows = try await reader(of: type).rows(in: days)
            averages.append((type, DailyAverage(of: rows.map(\.statistics))))
        }
        return MonthSummary(first: first, end: end, dayCount: days.count, averages: averages)
    }
}
