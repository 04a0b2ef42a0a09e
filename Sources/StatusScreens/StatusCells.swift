import GatewayCore
import GatewayHost
import Platform
import Readings
import Terminal
import WorkoutScreens

/// Values of a status report as cells of tables.
enum StatusCells {
    static func link(_ device: StatusReport.Device) -> TextTable.Cell {
        let style: Painter.Style =
            switch LinkState(rawValue: device.link) {
            case .live: .good
            case .backOff, .quarantined: .bad
            case .idle: .plain
            default: .warning
            }
        return TextTable.Cell(shown(device.link), style)
    }

    static func contact(_ device: StatusReport.Device) -> TextTable.Cell {
        switch device.contact {
        case true?: TextTable.Cell("yes")
        case false?: TextTable.Cell("no", .warning)
        case nil: TextTable.Cell("-")
        }
    }

    static func battery(_ device: StatusReport.Device) -> TextTable.Cell {
        guard let charge = device.battery else { return TextTable.Cell("-") }
        return TextTable.Cell(
            HumanQuantity.percent(charge), charge < Self.lowBattery ? .warning : .plain)
    }

    static func state(_ failure: String?) -> TextTable.Cell {
        failure == nil ? TextTable.Cell("healthy", .good) : TextTable.Cell("failing", .bad)
    }

    /// Charge below which a battery is highlighted.
    private static let lowBattery = 0.15

    static func ago(_ seconds: Double) -> String {
        "\(HumanQuantity.duration(seconds: seconds)) ago"
    }

    /// `1.5 MiB, 2 h 5 min`.
    static func lag(_ sink: StatusReport.Sink) -> String {
        guard sink.pending > 0 else { return "-" }
        let size = HumanQuantity.size(bytes: sink.lagBytes)
        return sink.lagSeconds.map { "\(size), \(HumanQuantity.duration(seconds: $0))" } ?? size
    }

    /// Untrusted text with control characters escaped.
    static func shown(_ text: String?) -> String {
        text.flatMap { $0.isEmpty ? nil : LogFormat.escaped($0) } ?? "-"
    }
}
