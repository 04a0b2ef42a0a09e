import GatewayCore
import Synchronization

/// The device selection of a source, and the client to notify of changes.
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

    /// Attaches the client, which may have started with an older selection, and updates it.
    func attach(_ client: BlueZClient<CentralMachine>) async {
        let selection = state.withLock { state in
            state.client = client
            return state.selection
        }
        await client.apply(selection)
    }

    func detachClient() {
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
