package import Advertisements
package import ArgumentValues
import Bluetooth
package import GatewayCore
import JSON
import Platform
import Reports
import Synchronization
package import Terminal

/// The view of a running scan: collects its results and shows them on a terminal.
package final class DeviceScanView: Sendable {
    /// The minimum time between two updates of the screen, in seconds.
    private static let pauseSeconds = 0.25

    private struct State {
        var list: DeviceList
        var problem: LinkError?
    }

    private let state: Mutex<State>
    private let screen: TerminalScreen?
    private let clock: any GatewayClock

    /// Creates the view of a list, on a screen if there is one.
    package init(_ list: DeviceList, screen: TerminalScreen?, clock: any GatewayClock) {
        state = Mutex(State(list: list))
        self.screen = screen
        self.clock = clock
    }

    /// Whether the scan has failed without any result.
    package var hasFailed: Bool {
        state.withLock { $0.problem != nil && $0.list.isEmpty }
    }

    /// All devices and ports in a format.
    package func text(as format: OutputFormat) -> String {
        let list = state.withLock(\.list)
        return list.report.text(as: format) { list.lines.map { "\($0)\n" }.joined() }
    }

    /// Shows all devices and ports on the terminal.
    package func show() {
        guard let screen else { return }
        let hint = "Adopt a device: `pulsegate adopt ADDRESS`. Stop: Ctrl-C."
        screen.show(state.withLock(\.list).lines + ["", hint])
    }

    /// Collects the results of a scan until the task is cancelled or the bus is closed.
    package func watch(_ scanner: BluetoothScanner) async {
        do {
            try await scanner.run { events in
                for event in events { self.process(event) }
                self.show()
                // After cancellation the remaining events are processed without a delay.
                try? await self.clock.sleep(seconds: Self.pauseSeconds)
            }
        } catch let error as LinkError {
            process(.problem(error))
        } catch {
            // Cancelled.
        }
    }

    private func process(_ event: BluetoothScanner.Event) {
        let newProblem = state.withLock { state -> LinkError? in
            state.list.update(with: event)
            guard case .problem(let problem) = event, problem != state.problem else { return nil }
            state.problem = problem
            return problem
        }
        guard let newProblem else { return }
        let line = "pulsegate: \(LogFormat.escaped(newProblem.description))\n"
        if StandardStream.error.isTerminal, let screen {
            screen.log(line)
        } else {
            StandardStream.error.write(line)
        }
    }
}
