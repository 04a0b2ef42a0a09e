package import GatewayCore
package import GatewayHost
import HealthModel
import Platform
import RecordTables
package import Terminal
import WorkoutScreens

/// Live lines for a terminal: for each device its newest values and the number of samples.
package struct LiveDisplay {
    /// Minimum time between two updates, in seconds.
    static let pauseSeconds = 0.25

    private var devices: [DeviceLine] = []

    private struct DeviceLine {
        let identifier: String?
        var name = ""
        var state = ""
        var values: [(type: String, text: String)] = []
        var counts: [String: Int] = [:]

        mutating func setValue(_ type: String, _ value: String, count: Int) {
            let text = "\(type) \(value)"
            counts[type] = count
            if let index = values.firstIndex(where: { $0.type == type }) {
                values[index].text = text
            } else {
                values.append((type, text))
                values.sort { $0.type < $1.type }
            }
        }
    }

    /// The service that updates the live lines of a gateway.
    package struct Transport: ServiceTransport {
        private let screen: TerminalScreen
        private let clock: any GatewayClock

        /// Creates the service for a screen.
        package init(screen: TerminalScreen, clock: any GatewayClock) {
            self.screen = screen
            self.clock = clock
        }

        package func run(_ service: GatewayService) async {
            let subscription = service.live.subscribe()
            await withTaskCancellationHandler {
                await LiveDisplay.run(subscription, on: screen, clock: clock)
            } onCancel: {
                service.live.cancel(subscription)
            }
        }
    }

    /// Shows the records of the live lane until the subscription ends.
    static func run(
        _ subscription: LatestSubscription, on screen: TerminalScreen, clock: any GatewayClock
    ) async {
        var display = LiveDisplay()
        while let entries = await subscription.next() {
            for entry in entries { display.update(entry) }
            screen.show(display.lines)
            // A cancelled task shows the remaining records without a pause.
            try? await clock.sleep(seconds: pauseSeconds)
        }
    }

    /// Updates the line of a device with a record.
    mutating func update(_ entry: LatestSubscription.Entry) {
        let identifier = entry.record.device?.localIdentifier
        let index = devices.firstIndex { $0.identifier == identifier } ?? devices.count
        if index == devices.count { devices.append(DeviceLine(identifier: identifier)) }
        devices[index].name = entry.record.device?.name ?? identifier ?? "unknown device"
        switch entry.record {
        case .sample(let sample):
            devices[index].setValue(
                sample.type.name, HumanQuantity.text(sample.quantity), count: entry.count)
        case .category(let sample):
            devices[index].setValue(sample.type.name, sample.valueName, count: entry.count)
        case .correlation(let correlation):
            devices[index].setValue(
                correlation.type.name, TapPrinter.members(of: correlation), count: entry.count)
        case .workout(let workout):
            devices[index].setValue(
                RecordType.workout.name,
                "\(LogFormat.escaped(workout.activity.name)) \(RecordText.summary(of: workout))",
                count: entry.count)
        case .event(let event):
            if let connection = event.state.connection {
                devices[index].state = connection.rawValue
            }
        // Deletions are not on the live lane.
        case .deletion: return
        }
    }

    /// The lines to show, devices in the order of their first record.
    var lines: [String] {
        let names = devices.map { LogFormat.escaped($0.name) }
        let width = names.map(TextWidth.columns).max() ?? 0
        return zip(devices, names).map { device, name in
            let padding = String(repeating: " ", count: width - TextWidth.columns(of: name))
            let state =
                device.state == DeviceState.Connection.connected.rawValue ? "" : device.state
            let count = device.counts.values.reduce(0, +)
            let parts = device.values.map(\.text) + [state, "\(count) samples"]
            return ([name + padding] + parts.filter { !$0.isEmpty }).joined(separator: "  ")
        }
    }
}
