import GatewayCore
import HealthModel
import Platform
import Terminal
import WorkoutScreens

/// Table rows of records, with local times, rounded values and names.
struct RecordTableRow {
    /// The column headings and widths; the last column has no fixed width.
    private typealias Columns = KeyValuePairs<String, Int>

    let type: RecordType?
    let format: QuantityFormat
    /// The width of the terminal; nil for other outputs.
    let width: TerminalWidth?

    var header: String { text(of: columns.map(\.key)) }

    func line(_ record: Record) -> String {
        let person = record.person ?? "-"
        let device = LogFormat.escaped(
            record.device?.name ?? record.device?.localIdentifier ?? "-")
        switch record {
        case .sample(let sample):
            let (value, unit) = format.parts(of: sample.quantity, sample.type, of: sample.person)
            let padding = String(repeating: " ", count: max(0, 10 - value.count))
            return text(of: [time(sample.end), padding + value, unit, person, device])
        case .category(let sample):
            return text(
                of: [time(sample.start), time(sample.end), sample.valueName, person, device])
        case .correlation(let correlation):
            return text(of: [time(correlation.end), person, device, members(of: correlation)])
        case .workout(let workout):
            return text(
                of: [
                    time(workout.start), time(workout.end),
                    LogFormat.escaped(workout.activity.name), person, device,
                    TapPrinter.summary(of: workout),
                ])
        case .event(let event):
            let (what, state) = TapPrinter.words(for: event.state)
            return text(
                of: [
                    time(event.at), what, state, person, device,
                    event.reason.map(LogFormat.escaped) ?? "-",
                ])
        }
    }

    private var columns: Columns {
        switch type {
        case .quantity:
            ["TIME": 23, "     VALUE": 10, "UNIT": 10, "PERSON": 8, "DEVICE": 0]
        case .category:
            ["START": 23, "END": 23, "VALUE": 16, "PERSON": 8, "DEVICE": 0]
        case .correlation:
            ["TIME": 23, "PERSON": 8, "DEVICE": 20, "SAMPLES": 0]
        case .workout:
            ["START": 23, "END": 23, "ACTIVITY": 16, "PERSON": 8, "DEVICE": 20, "TOTALS": 0]
        case nil:
            ["TIME": 23, "STATE": 10, "VALUE": 12, "PERSON": 8, "DEVICE": 20, "REASON": 0]
        }
    }

    /// `bloodPressureSystolic 120 mmHg, bloodPressureDiastolic 80 mmHg`.
    private func members(of correlation: Correlation) -> String {
        correlation.samples.map { member in
            switch member {
            case .quantity(let sample):
                let parts = format.parts(
                    of: sample.quantity, sample.type, of: sample.person ?? correlation.person)
                return "\(sample.type.name) \(parts.value) \(parts.unit)"
            case .category(let sample): return "\(sample.type.name) \(sample.valueName)"
            }
        }.joined(separator: ", ")
    }

    private func time(_ instant: Instant) -> String { LocalTime.text(instant) }

    private func text(of cells: [String]) -> String {
        let line = line(of: cells)
        return (width?.text(StyledLine(line)) ?? line) + "\n"
    }

    private func line(of cells: [String]) -> String {
        let padded = zip(cells, columns).map { cell, column in
            cell + String(repeating: " ", count: max(0, column.value - cell.count))
        }
        // One space between a value and its unit.
        guard case .quantity = type else { return padded.joined(separator: "  ") }
        return "\(padded[0])  \(padded[1]) \(padded[2...].joined(separator: "  "))"
    }
}
