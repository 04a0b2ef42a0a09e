package import HealthModel

/// A column of a table of records.
package enum TableColumn: String, Sendable {
    case time, start, end, state, value, unit, activity, location, person, device, totals, samples
    case reason, source, type, id

    /// The heading: the name in capital letters.
    var heading: String { rawValue.uppercased() }

    /// All columns of a record type; nil for device events.
    package static func all(of type: RecordType?) -> [TableColumn] {
        switch type {
        case .quantity:
            [.time, .start, .end, .value, .unit, .person, .device, .source, .type, .id]
        case .category: [.time, .start, .end, .value, .person, .device, .source, .type, .id]
        case .correlation: [.time, .start, .end, .person, .device, .samples, .source, .type, .id]
        case .workout:
            [
                .time, .start, .end, .activity, .location, .person, .device, .totals, .source,
                .type, .id,
            ]
        case nil: [.time, .state, .value, .person, .device, .reason, .source, .id]
        }
    }

    /// The columns that are shown when none are chosen.
    ///
    /// - Parameter hasIntervals: Whether the start and the end of records differ.
    static func standard(of type: RecordType?, hasIntervals: Bool) -> [TableColumn] {
        let times: [TableColumn] = hasIntervals ? [.start, .end] : [.time]
        return switch type {
        case .quantity: times + [.value, .unit, .person, .device]
        case .category: [.start, .end, .value, .person, .device]
        case .correlation: times + [.person, .device, .samples]
        case .workout: [.start, .end, .activity, .person, .device, .totals]
        case nil: [.time, .state, .value, .person, .device, .reason]
        }
    }
}
