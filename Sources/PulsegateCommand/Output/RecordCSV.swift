import HealthModel
import JSON
import WorkoutScreens

/// CSV rows of records (RFC 4180).
enum RecordCSV {
    private static let origin = ["person", "device", "deviceName", "source"]

    /// The header for a record type; nil for device events.
    static func header(of type: RecordType?) -> String {
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
        return line(of: fields + origin)
    }

    /// The rows of a record: one, or one per sample of a correlation.
    static func lines(_ record: Record) -> String {
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
        }
    }

    private static func lines(_ correlation: Correlation) -> String {
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

    private static func fields(of workout: Workout) -> [String] {
        [
            "\(workout.id)", workout.activity.name, workout.location.name, "\(workout.start)",
            "\(workout.end)", text(workout.seconds), text(workout.distance?.value),
            text(workout.activeEnergy?.value), text(workout.averageHeartRate?.value),
        ]
    }

    private static func head(
        _ id: RecordID, _ type: String, _ start: Instant, _ end: Instant
    ) -> [String] {
        ["\(id)", type, "\(start)", "\(end)"]
    }

    private static func fields(of quantity: Quantity) -> [String] {
        [quantity.valueText, quantity.unit.string]
    }

    private static func text(_ number: Double?) -> String {
        number.map { Number.string($0) } ?? ""
    }

    private static func line(
        of fields: [String], _ person: String?, _ device: Device?, _ source: SourceRevision?
    ) -> String {
        line(
            of: fields + [
                person ?? "", device?.localIdentifier ?? "", device?.name ?? "",
                source?.name ?? "",
            ])
    }

    private static func line(of fields: [String]) -> String {
        fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte < 0x20
        }
        guard needsQuotes else { return field }
        let parts = field.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.joined(separator: "\"\""))\""
    }
}
