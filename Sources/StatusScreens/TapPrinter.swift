package import ArgumentValues
import GatewayCore
package import HealthModel
import Platform
import RecordTables
import Terminal
import WorkoutScreens

/// Formats the records that a tap receives.
package struct TapPrinter {
    private static let nameWidth = 20
    private static let typeWidth = 22

    private let format: OutputFormat
    private let csv: RecordCSV
    private var decoder: RecordDecoder

    /// The text before the first record.
    package var header: [UInt8] { format == .csv ? Array(csv.header.utf8) : [] }

    /// Creates a printer that passes JSON lines on, or formats them as text or CSV.
    ///
    /// Types that only the gateway knows are shown too. Records without an end are no list, so
    /// `json` is the same as `ndjson`.
    ///
    /// - Parameter type: The type of all records, whose columns CSV has.
    package init(_ format: OutputFormat, of type: RecordType?, types: QuantityTypes = .standard) {
        self.format = format
        csv = RecordCSV(type)
        decoder = RecordDecoder(types: types, allowingUndeclared: true)
    }

    /// Formats lines of JSON.
    package mutating func text(of lines: ArraySlice<UInt8>) -> [UInt8] {
        if format == .json || format == .ndjson { return Array(lines) }
        var text = ""
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            // A newer gateway may send records that this version cannot decode.
            guard let record = try? decoder.decode(line) else { continue }
            text += format == .csv ? csv.lines(record) : Self.line(record)
        }
        return Array(text.utf8)
    }

    /// `19:15:00.123  Polar H10 8A2F        heartRate               72 count/min`, in local time.
    static func line(_ record: Record) -> String {
        let device = record.device?.name ?? record.device?.localIdentifier ?? "-"
        let name = padded(LogFormat.escaped(device), nameWidth)
        switch record {
        case .sample(let sample):
            let type = padded(sample.type.name, typeWidth)
            return
                "\(time(sample.end))  \(name)  \(type)  \(HumanQuantity.text(sample.quantity, sample.type))\n"
        case .category(let sample):
            let type = padded(sample.type.name, typeWidth)
            return "\(time(sample.end))  \(name)  \(type)  \(sample.valueName)\n"
        case .correlation(let correlation):
            let type = padded(correlation.type.name, typeWidth)
            return "\(time(correlation.end))  \(name)  \(type)  \(members(of: correlation))\n"
        case .workout(let workout):
            let type = padded(LogFormat.escaped(workout.activity.name), typeWidth)
            return "\(time(workout.end))  \(name)  \(type)  \(RecordText.summary(of: workout))\n"
        case .event(let event):
            let reason = event.reason.map { " (\(LogFormat.escaped($0)))" } ?? ""
            let (what, state) = RecordText.words(for: event.state)
            return "\(time(event.at))  \(name)  \(padded(what, typeWidth))  \(state)\(reason)\n"
        case .deletion(let deleted):
            let type = padded(deleted.typeName ?? "event", typeWidth)
            return "\(time(deleted.at))  \(name)  \(type)  deleted\n"
        }
    }

    /// `bloodPressureSystolic 120 mmHg, bloodPressureDiastolic 80 mmHg`.
    static func members(of correlation: Correlation) -> String {
        correlation.samples.map { member in
            switch member {
            case .quantity(let sample):
                "\(sample.type.name) \(HumanQuantity.text(sample.quantity, sample.type))"
            case .category(let sample): "\(sample.type.name) \(sample.valueName)"
            }
        }.joined(separator: ", ")
    }

    private static func time(_ instant: Instant) -> Substring {
        LocalTime.text(instant).suffix(12)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.columns(of: text)))
    }
}
