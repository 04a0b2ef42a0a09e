package import GatewayCore
package import GatewayHost
package import HealthModel
package import HealthStatistics
import Platform
package import SQLiteStore

/// The energy balance of a day, up to now.
package struct DaySummary {
    package let date: CalendarDate
    /// The time of the day, up to now.
    package let span: Range<Instant>
    /// Whether the day is still in progress.
    package let isPartial: Bool
    package let balance: EnergyBalance
    /// Why the resting energy is unknown; nil when it is known.
    package let problem: String?
}

/// The daily averages of a month.
package struct MonthSummary {
    package let first: CalendarDate
    /// The day after the last one.
    package let end: CalendarDate
    package let dayCount: Int
    /// The averages by type; nil for a type without samples.
    package let averages: [(type: QuantityType, average: DailyAverage?)]
}

/// Reads and calculates summaries from the store.
package struct SummaryReader {
    /// The types of a month's summary.
    static let movements: [QuantityType] = [
        .stepCount, .distanceWalkingRunning, .flightsClimbed,
    ]

    /// The types of a day's summary, beside those of an estimate.
    static let energies: [QuantityType] = [
        .activeEnergyBurned, .basalEnergyBurned, .dietaryEnergyConsumed,
    ]

    /// Time without samples that is not estimated: samples need not be contiguous to the second.
    private static let toleratedSeconds = 60.0

    private let store: SQLiteStore
    private let people: People
    private let personName: String?
    private let calendar: LocalCalendar

    /// - Parameter personName: The person to filter by; nil when there is only one.
    package init(
        store: SQLiteStore, people: People, personName: String?, calendar: LocalCalendar
    ) {
        self.store = store
        self.people = people
        self.personName = personName
        self.calendar = calendar
    }

    /// The years whose days and months have a start and an end: times are nanoseconds of 64 bits.
    private static let years = 1678...2261

    /// What is wrong with a date without bounds.
    static let dateRule =
        "must be from \(years.lowerBound)-01-01 to \(years.upperBound)-12-31"

    private static let noBounds = HostError(.usage, "the date \(dateRule)", cause: .input)

    /// Whether the day of a date, and the month before it, have a start and an end.
    static func hasBounds(_ date: CalendarDate) -> Bool { years.contains(date.year) }

    // MARK: A day

    /// Calculates the energy balance of a day, up to a time.
    package func day(
        _ date: CalendarDate, of person: Person?, until now: Instant
    ) async throws(HostError) -> DaySummary {
        guard Self.hasBounds(date), let next = date.adding(days: 1) else { throw Self.noBounds }
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

    /// The resting energy: measured where there are samples, otherwise estimated.
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
            throw HostError(error)
        }
    }

    /// The estimated resting energy for some seconds of a day.
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

    /// The newest quantity that is not dated later.
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

    /// Calculates the averages of the month before a day.
    package func month(before end: CalendarDate) async throws(HostError) -> MonthSummary {
        guard Self.hasBounds(end), let first = end.adding(months: -1),
            let step = CalendarStep(1, .day),
            let days = calendar.steps(of: calendar.span(from: first, until: end), by: step),
            !days.isEmpty
        else { throw Self.noBounds }
        var averages: [(type: QuantityType, average: DailyAverage?)] = []
        for type in Self.movements {
            let rows = try await reader(of: type).rows(in: days)
            averages.append((type, DailyAverage(of: rows.map(\.statistics))))
        }
        return MonthSummary(first: first, end: end, dayCount: days.count, averages: averages)
    }
}
