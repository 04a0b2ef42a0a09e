package import HealthModel
package import HealthStatistics

/// A sample with what a summary needs of it.
package struct SummarySample: Sendable {
    let number: Int64
    let span: Range<Instant>
    /// In the canonical unit of the type.
    let value: Double
    /// A row of `origin`, the same for all that are one ``SampleOrigin`` of one person.
    let origin: Int64
    /// The row of the person; 0 for none.
    let person: Int64

    /// Makes a value from its parts.
    package init(
        number: Int64, span: Range<Instant>, value: Double, origin: Int64, person: Int64
    ) {
        self.number = number
        self.span = span
        self.value = value
        self.origin = origin
        self.person = person
    }
}

/// Calculates the summaries of hours.
package struct SummaryRows {
    private let type: QuantityType
    private let hours: Range<Int64>
    private let spans: [Range<Instant>]

    package init(_ type: QuantityType, hours: Range<Int64>) {
        self.type = type
        self.hours = hours
        spans = hours.map { SummaryHours.span(of: $0..<$0 + 1) }
    }

    /// Returns the rows of samples that are in the order of their start.
    ///
    /// - Parameter samples: With those that are up to ``SummaryHours/gap`` before and after the hours.
    package func rows(of samples: [SummarySample]) -> [SummaryRow] {
        guard !type.isCumulative else { return rowsOfOrigins(samples).flatMap(\.self) }
        let people = Dictionary(grouping: samples, by: \.person).sorted { $0.key < $1.key }
        var rows = people.map { person, samples in
            merged(rowsOfOrigins(samples), samples, as: .person(person))
        }
        if rows.count > 1 { rows = [merged(rows, samples, as: .everyone)] }
        return rows.flatMap(\.self)
    }

    private func rowsOfOrigins(_ samples: [SummarySample]) -> [[SummaryRow]] {
        Dictionary(grouping: samples) {
            SummaryScope.origin($0.origin, person: $0.person)
        }.map { scope, samples in rows(of: samples, as: scope) }
    }

    /// Adds the rows of all samples together, for the hours that differ from those of one group.
    private func merged(
        _ groups: [[SummaryRow]], _ samples: [SummarySample], as scope: SummaryScope
    ) -> [SummaryRow] {
        guard groups.count > 1 else { return groups.flatMap(\.self) }
        let rows = groups.flatMap(\.self)
        let byHour = Dictionary(grouping: rows, by: \.hour)
        return rows
            + self.rows(of: samples, as: scope).filter { merged in
                let parts = byHour[merged.hour]?.wholeParts ?? []
                return parts != [merged.part]
            }
    }

    private func rows(of samples: [SummarySample], as scope: SummaryScope) -> [SummaryRow] {
        var pass = StatisticsPass(
            type, spans: spans, isRanked: false, gapLimitSeconds: SummaryHours.gapSeconds)
        for sample in samples { pass.add(sample.value, over: sample.span, key: sample.number) }
        return zip(hours, pass.parts()).compactMap { hour, part in
            guard part.count > 0 || part.seconds > 0 else { return nil }
            return SummaryRow(hour: hour, scope: scope, part: part)
        }
    }
}

extension [SummaryRow] {
    /// The parts of each person in one hour, all origins together.
    fileprivate var wholeParts: [StatisticsPart] {
        Dictionary(grouping: self, by: \.scope.columns.person).values.compactMap { rows in
            rows.first { $0.scope.columns.origin == 0 }?.part
                ?? (rows.count == 1 ? rows[0].part : nil)
        }
    }

    /// The part of all rows of one hour together; nil when it has to be calculated from samples.
    ///
    /// - Parameter isCumulative: Whether the type is cumulative, whose origins may have counted the same.
    package func part(isCumulative: Bool) -> StatisticsPart? {
        if count == 1 { return self[0].part }
        guard !isCumulative else { return nil }
        if let everyone = first(where: { $0.scope == .everyone }) { return everyone.part }
        let people = wholeParts
        return people.count == 1 ? people[0] : nil
    }
}
