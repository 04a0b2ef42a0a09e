package import HealthModel
package import HealthStatistics
package import JSON

extension DaySummary {
    /// Writes the fields for programs.
    ///
    /// - Parameter person: The name; nil when there is only one person.
    package func write(to json: inout JSONWriter, person: String?) {
        json.field("date", date.description)
        json.field("person", person)
        json.field("start", "\(span.lowerBound)")
        json.field("end", "\(span.upperBound)")
        json.field("unit", Unit.kilocalorie.string)
        json.field("active", Self.kilocalories(balance.active))
        json.field("resting", Self.kilocalories(balance.restingQuantity))
        switch balance.resting {
        case .measured: json.field("restingIs", "measured")
        case .completed: json.field("restingIs", "completed")
        case .partial: json.field("restingIs", "partial")
        case .estimated: json.field("restingIs", "estimated")
        case .unknown: json.field("restingIs", "unknown")
        }
        json.field("consumed", Self.kilocalories(balance.consumed))
        json.field("balance", balance.balance?.value)
    }

    private static func kilocalories(_ quantity: Quantity?) -> Double? {
        quantity.flatMap { try? $0.value(in: .kilocalorie) }
    }
}

extension MonthSummary {
    /// Writes the fields for programs.
    package func write(to json: inout JSONWriter, person: String?) {
        writeSpan(to: &json, person: person)
        json.objects("averages", averages) { Self.write($0, to: &$1) }
    }

    /// Writes the days.
    package func writeSpan(to json: inout JSONWriter, person: String?) {
        json.field("from", first.description)
        json.field("to", (end.adding(days: -1) ?? end).description)
        json.field("person", person)
        json.field("days", Int64(dayCount))
    }

    /// Writes the average of a type.
    package static func write(
        _ entry: (type: QuantityType, average: DailyAverage?), to json: inout JSONWriter
    ) {
        json.field("type", entry.type.name)
        json.field("unit", entry.type.canonicalUnit.string)
        json.field("average", entry.average?.average?.value)
        json.field("total", entry.average?.total.value)
        json.field("daysWithSamples", Int64(entry.average?.dayCount ?? 0))
    }
}
