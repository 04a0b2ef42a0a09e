package import HealthModel
import HealthStatistics
package import JSON

extension StatisticsReader.Row {
    /// Writes the fields of an object; unknown values are omitted.
    ///
    /// - Parameters:
    ///   - unit: The unit of the values.
    ///   - person: The person whose samples were read.
    package func write(
        to json: inout JSONWriter, _ type: QuantityType, in unit: Unit, of person: String?
    ) {
        func plain(_ quantity: Quantity?) -> Double? {
            quantity.flatMap { try? $0.value(in: unit) }
        }
        json.field("type", type.name)
        json.field("start", "\(statistics.span.lowerBound)")
        json.field("end", "\(statistics.span.upperBound)")
        json.field("person", person)
        json.field("source", origin?.name)
        json.field("count", Int64(statistics.count))
        json.field("unit", unit.string)
        json.field("sum", plain(statistics.sum))
        json.field("average", plain(statistics.average))
        json.field("minimum", plain(statistics.minimum))
        json.field("maximum", plain(statistics.maximum))
        if let latest = statistics.mostRecent {
            json.object("latest") { json in
                json.field("start", "\(latest.start)")
                json.field("end", "\(latest.end)")
                json.field("value", plain(latest.quantity))
            }
        }
        json.field("seconds", statistics.seconds)
    }
}
