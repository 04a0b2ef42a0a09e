package import HealthModel

/// The check of a complete record that no converter has made: of a file, a client or a program.
///
/// It is the same on every way in, so that no way stores what another one refuses.
package struct RecordCheck: Sendable {
    /// The reason why a record is rejected.
    package enum Problem: Equatable, Sendable, CustomStringConvertible {
        /// Its times are not those of a record, see ``RecordTimeBounds``.
        case time(String)
        /// It covers more than a year.
        case tooLong
        /// The value of a type, or a workout's total of it, is out of its range, or of any number in its canonical unit.
        case implausible(QuantityType)
        /// A sample of a correlation has another person than the correlation.
        case foreignMember
        /// A sample of a correlation has a person, and the correlation has none.
        case missingPerson

        package var description: String {
            switch self {
            case .time(let problem): problem
            case .tooLong: "covers more than a year"
            case .implausible(let type): "a value is out of range for \(type.name)"
            case .foreignMember:
                "a sample of the correlation is of another person; give it that of the correlation, or none"
            case .missingPerson:
                "the correlation has no person and a sample of it has one; give both the same person"
            }
        }
    }

    private let bounds: RecordTimeBounds?

    /// Makes a check; without bounds, which an unset clock does not know, any time is accepted.
    package init(_ bounds: RecordTimeBounds?) { self.bounds = bounds }

    /// The reason why a record is rejected; nil when it is accepted.
    package func problem(of record: Record) -> Problem? {
        if let problem = bounds?.problem(of: record) { return .time(problem) }
        switch record {
        case .sample(let sample): return Self.problem(of: sample)
        case .correlation(let correlation):
            return correlation.samples.lazy.compactMap { member in
                Self.problem(of: member, in: correlation)
            }.first
        case .workout(let workout): return workout.totals.lazy.compactMap(Self.problem).first
        case .category, .event, .deletion: return nil
        }
    }

    /// The store finds a correlation and each of its samples by their own person.
    private static func problem(
        of member: Correlation.Member, in correlation: Correlation
    ) -> Problem? {
        if let person = member.record.person, person != correlation.person {
            return correlation.person == nil ? .missingPerson : .foreignMember
        }
        guard case .quantity(let sample) = member else { return nil }
        return problem(of: sample)
    }

    private static func problem(of total: WorkoutTotal) -> Problem? {
        let values = [total.sum, total.average, total.minimum, total.maximum].compactMap(\.self)
        return values.allSatisfy(total.type.isPlausible) ? nil : .implausible(total.type)
    }

    private static func problem(of sample: QuantitySample) -> Problem? {
        guard sample.type.isPlausible(sample.quantity) else { return .implausible(sample.type) }
        let duration = sample.end.nanoseconds(since: sample.start)
        return duration > RecordTimeBounds.maximumNanoseconds ? .tooLong : nil
    }
}
