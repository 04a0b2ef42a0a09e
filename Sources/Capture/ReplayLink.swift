import GatewayCore
import HealthModel
import Platform
import Readings

/// A link of a capture: its adapter, and what it reports.
///
/// It does what a serial or a Bluetooth session does with the events of a link. What the adapter
/// requests from the device is ignored, because the answers are in the capture.
struct ReplayLink {
    /// The maximum number of timer events between two other events of a link.
    static let maximumTimers = 10_000

    private var session: AdapterSession
    private let isBluetooth: Bool

    init(_ made: AdapterMaker.Made) {
        session = AdapterSession(made.adapter)
        isBluetooth = made.isBluetooth
    }

    /// Hands an event to the adapter, after the timers that are due, and returns the reports.
    mutating func handle(
        _ kind: AdapterEvent.Kind, at receipt: BootInstant
    ) -> [DeviceReport.Content] {
        var reports: [DeviceReport.Content] = []
        var timers = 0
        while let time = session.wakeTime, time <= receipt, timers < Self.maximumTimers {
            timers += 1
            append(session.handle(.timer, at: time), at: time, to: &reports)
        }
        let outcome = session.handle(kind, at: receipt)
        append(outcome, at: receipt, to: &reports)
        if isBluetooth, case .received = kind, outcome.isEmptyValue {
            reports.append(.seen(at: receipt))
        }
        return reports
    }

    private func append(
        _ outcome: AdapterSession.Outcome, at moment: BootInstant,
        to reports: inout [DeviceReport.Content]
    ) {
        if !outcome.readings.isEmpty { reports.append(.readings(outcome.readings)) }
        if !outcome.drops.isEmpty { reports.append(.dropped(outcome.drops)) }
        if !outcome.faults.isEmpty { reports.append(.discarded(outcome.faults, at: moment)) }
    }
}

extension AdapterSession.Outcome {
    /// Whether the value was valid, but without a reading.
    fileprivate var isEmptyValue: Bool {
        readings.isEmpty && faults.isEmpty && drops.keys.allSatisfy { $0 == .empty }
    }
}
