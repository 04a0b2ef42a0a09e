import GatewayCore
import Synchronization

/// The devices that a source reads, and who must be told when they are others.
final class SelectedDevices: Sendable {
    private struct State {
        var selection: BluetoothSelection
        var client: BlueZClient<CentralMachine>?
    }

    private let state: Mutex<State>

    init(_ selection: BluetoothSelection) {
        state = Mutex(State(selection: selection))
    }

    var selection: BluetoothSelection { state.withLock { $0.selection } }

    /// Tells a client from now on, which may have begun with an older selection.
    func tell(_ client: BlueZClient<CentralMachine>) async {
        let selection = state.withLock { state in
            state.client = client
            return state.selection
        }
        await client.apply(selection)
    }

    func tellNobody() {
        state.withLock { $0.client = nil }
    }

    func change(to selection: BluetoothSelection) async {
        let client = state.withLock { state in
            state.selection = selection
            return state.client
        }
        await client?.apply(selection)
    }
}
