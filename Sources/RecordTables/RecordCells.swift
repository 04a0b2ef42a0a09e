import GatewayCore
import HealthModel
import Platform
import WorkoutScreens

/// The cells of records in a table, with local times, rounded values and names.
struct RecordCells {
    let format: QuantityFormat

    /// The text of a cell; `-` for a value that the record does not have.
    func text(_ column: TableColumn, of record: Record) -> String {
        switch column {
        case .time, .end: LocalTime.text(record.span.end)
        case .start: LocalTime.text(record.span.start)
        case .person: record.person ?? "-"
        case .device: name(of: record.device)
        case .source: record.source.map { LogFormat.escaped($0.name) } ?? "-"
        case .type: record.typeName ?? "-"
        case .id: "\(record.id)"
        case .state, .value, .unit, .activity, .location, .totals, .samples, .reason:
            content(column, of: record) ?? "-"
        }
    }

    private func name(of device: Device?) -> String {
        LogFormat.escaped(device?.name ?? device?.localIdentifier ?? "-")
    }

    /// The cell of a column that not every kind of record has.
    private func content(_ column: TableColumn, of record: Record) -> String? {
        switch (column, record) {
        case (.value, .sample(let sample)): parts(of: sample, sample.person).value
        case (.unit, .sample(let sample)): parts(of: sample, sample.person).unit
        case (.value, .category(let sample)): sample.valueName
        case (.samples, .correlation(let correlation)): samples(of: correlation)
        case (.activity, .workout(let workout)): LogFormat.escaped(workout.activity.name)
        case (.location, .workout(let workout)): workout.location.name
        case (.totals, .workout(let workout)): RecordText.summary(of: workout)
        case (.state, .event(let event)): RecordText.words(for: event.state).what
        case (.value, .event(let event)): RecordText.words(for: event.state).state
        case (.reason, .event(let event)): event.reason.map(LogFormat.escaped)
        default: nil
        }
    }

    private func parts(
        of sample: QuantitySample, _ person: String?
    ) -> (value: String, unit: String) {
        format.parts(of: sample.quantity, sample.type, of: person)
    }

    /// `bloodPressureSystolic 120 mmHg, bloodPressureDiastolic 80 mmHg`.
    private func samples(of correlation: Correlation) -> String {
        correlation.samples.map { member in
            switch member {
            case .quantity(let sample):
                let parts = parts(of: sample, sample.person ?? correlation.person)
                return "\(sample.type.name) \(parts.value) \(parts.unit)"
            case .category(let sample): return "\(sample.type.name) \(sample.valueName)"
            }
        }.joined(separator: ", ")
    }
}
