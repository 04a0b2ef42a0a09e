import Bluetooth
import GatewayCore
import JSON
import Platform
import Synchronization
import Terminal

/// Where a scan notes what is around, and a terminal shows it.
final class DeviceBoard: Sendable {
    /// How long the lines stand still between two changes, in seconds.
    private static let pauseSeconds = 0.25

    private struct State {
        var list: DeviceList
        var trouble: LinkError?
    }

    private let state: Mutex<State>
    private let screen: TerminalScreen?
    private let clock: any GatewayClock

    init(_ list: DeviceList, screen: TerminalScreen?, clock: any GatewayClock) {
        state = Mutex(State(list: list))
        self.screen = screen
        self.clock = clock
    }

    /// Whether there is nothing to see, and something was in the way of seeing more.
    var isUseless: Bool {
        state.withLock { $0.trouble != nil && $0.list.isEmpty }
    }

    /// Everything that is around.
    func text(isJSON: Bool) -> String {
        let list = state.withLock(\.list)
        return isJSON ? "\(list.value.json)\n" : list.lines.map { "\($0)\n" }.joined()
    }

    /// Shows everything that is around.
    func show() {
        guard let screen else { return }
        let hint = "`pulsegate adopt ADDRESS` makes a device yours; Ctrl-C ends this"
        screen.show(state.withLock(\.list).lines + ["", hint])
    }

    /// Notes what a scan finds until the task is cancelled, or until the bus goes.
    func watch(_ scanner: BluetoothScanner) async {
        do {
            try await scanner.run { events in
                for event in events { self.take(event) }
                self.show()
                // When it is cancelled the rest is noted without a pause.
                try? await self.clock.sleep(seconds: Self.pauseSeconds)
            }
        } catch let error as LinkError {
            take(.problem(error))
        } catch {
            // Cancelled.
        }
    }

    private func take(_ event: BluetoothScanner.Event) {
        let news = state.withLock { state -> LinkError? in
            state.list.take(event)
            guard case .problem(let trouble) = event, trouble != state.trouble else { return nil }
            state.trouble = trouble
            return trouble
        }
        guard let news else { return }
        let line = "pulsegate: \(LogFormat.escaped(news.description))\n"
        if StandardStream.error.isTerminal, let screen {
            screen.log(line)
        } else {
            StandardStream.error.write(line)
        }
    }
}
