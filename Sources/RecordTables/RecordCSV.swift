import CSV
package import HealthModel
import JSON
import WorkoutScreens

/// CSV rows of records of one type (RFC 4180).
package struct RecordCSV {
    private static let origin = ["person", "device", "deviceName", "source"]

    /// The positions of the chosen fields; nil for all fields.
    private let positions: [Int]?
    /// The row of field names.
    package let header: String

    /// Creates the rows of a type; nil for device events.
    ///
    /// - Parameter columns: The names of the fields in their order; nil for all fields.
    package init(_ type: RecordType?, columns: [String]? = nil) {
        let names = Self.names(of: type)
        positions = columns?.compactMap { names.firstIndex(of: $0) }
        header = CSVRow.line(of: columns ?? names)
    }

    /// The names of all fields of a record type; nil for device events.
    package static func names(of type: RecordType?) -> [String] {
        let fields =
            switch type {
            case .quantity: ["id", "type", "start", "end", "value", "unit"]
            case .category: ["id", "type", "start", "end", "value", "valueName"]
            case .correlation:
                ["id", "type", "start", "end", "sample", "sampleType", "value", "unit"]
            case .workout:
                [
                    "id", "activity", "location", "start", "end", "seconds", "distanceMeters",
                    "activeEnergyKilocalories", "averageHeartRate",
                ]
            case nil: ["id", "at", "connection", "contact", "battery", "reason"]
            }
        return fields + origin
    }

    /// The rows of a record: one, or one per sample of a correlation.
    package func lines(_ record: Record) -> String {
        switch record {
        case .sample(let sample):
            line(
                of: head(sample.id, sample.type.name, sample.start, sample.end)
                    + fields(of: sample.quantity),
                sample.person, sample.device, sample.source)
        case .category(let sample):
            line(
                of: head(sample.id, sample.type.name, sample.start, sample.end)
                    + ["\(sample.value)", sample.valueName],
                sample.person, sample.device, sample.source)
        case .correlation(let correlation): lines(correlation)
        case .workout(let workout):
            line(of: fields(of: workout), workout.person, workout.device, workout.source)
        case .event(let event):
            line(
                of: [
                    "\(event.id)", "\(event.at)", event.state.connection?.rawValue ?? "",
                    event.state.contact.map { "\($0)" } ?? "", text(event.state.battery),
                    event.reason ?? "",
                ],
                event.person, event.device, event.source)
        // A query finds none.
        case .deletion: ""
        }
    }

    private func lines(_ correlation: Correlation) -> String {
        correlation.samples.map { member in
            let values =
                switch member {
                case .quantity(let sample): fields(of: sample.quantity)
                case .category(let sample): [sample.valueName, ""]
                }
            return line(
                of: head(
                    correlation.id, correlation.type.name, correlation.start, correlation.end)
                    + ["\(member.id)", member.typeName] + values,
                correlation.person, correlation.device, correlation.source)
        }.joined()
    }

    private func fields(of workout: Workout) -> [String] {
        [
            "\(workout.id)", workout.activity.name, workout.location.name, "\(workout.start)",
            "\(workout.end)", text(workout.seconds), text(workout.distance?.value),
            text(workout.activeEnergy?.value), text(workout.averageHeartRate?.value),
        ]
    }

    private func head(
        _ id: RecordID, _ type: String, _ start: Instant, _ end: Instant
    ) -> [String] {
        ["\(id)", type, "\(start)", "\(end)"]
    }

    private func fields(of quantity: Quantity) -> [String] {
        [quantity.valueText, quantity.unit.string]
    }

    private func text(_ number: Double?) -> String {
        number.map { Number.string($0) } ?? ""
    }

    private func line(
        of fields: [String], _ person: String?, _ device: Device?, _ source: SourceRevision?
    ) -> String {
        let all =
            fields + [
                person ?? "", device?.localIdentifier ?? "", device?.name ?? "",
                source?.name ?? "",
            ]
        return CSVRow.line(of: positions.map { $0.map { all[$0] } } ?? all)
    }
}
