import GatewayCore
import Synchronization

/// The device selection of a source, and the client to notify of changes.
final class SelectedDevices: Sendable {
    private struct State {
        var selection: BluetoothSelection
        var client: BlueZClient<CentralMachine>?
    }

    private let state: Mutex<State>
    private let quarantine: Quarantine

    init(_ selection: BluetoothSelection, quarantine: Quarantine) {
        state = Mutex(State(selection: selection))
        self.quarantine = quarantine
    }

    /// The selection, without the devices in quarantine.
    var selection: BluetoothSelection {
        var selection = state.withLock { $0.selection }
        selection.denied.formUnion(quarantined)
        return selection
    }

    /// The devices in quarantine.
    var quarantined: [BluetoothAddress] { quarantine.devices.compactMap(BluetoothAddress.init) }

    /// Reads the devices again that are released from quarantine.
    func followReleases() async {
        await withTaskGroup(of: Void.self) { group in
            for address in quarantined {
                group.addTask {
                    await self.quarantine.waitForRelease(of: address.description)
                    await self.update()
                }
            }
        }
    }

    private func update() async {
        let client = state.withLock { $0.client }
        // The selection of when it is applied: two changes may come in the other order.
        await client?.apply { .select(self.selection) }
    }

    /// Attaches the client, which may have started with an older selection, and updates it.
    func attach(_ client: BlueZClient<CentralMachine>) async {
        state.withLock { $0.client = client }
        await update()
    }

    /// Detaches a client that has ended, unless the next run has attached its own.
    func detach(_ client: BlueZClient<CentralMachine>) {
        state.withLock { if $0.client === client { $0.client = nil } }
    }

    func change(to selection: BluetoothSelection) async {
        state.withLock { $0.selection = selection }
        await update()
    }
}
