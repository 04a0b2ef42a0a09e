import Bluetooth
import DBus
package import GatewayCore
import Platform
import Synchronization

/// Looks up a device among those that bluetoothd knows, without scanning.
package struct BluetoothLookUp: Sendable {
    private let busAddress: String?
    private let clock: any GatewayClock

    /// Makes a look-up in the bluetoothd of a bus; nil is the system bus.
    package init(busAddress: String?, clock: any GatewayClock) {
        self.busAddress = busAddress
        self.clock = clock
    }

    /// The device as bluetoothd knows it; nil when it does not, or does not answer in time.
    package func device(at address: BluetoothAddress, within seconds: Double) async
        -> ScannedDevice?
    {
        await withTaskGroup(of: ScannedDevice?.self) { group in
            group.addTask { await found(address) }
            group.addTask {
                try? await clock.sleep(seconds: seconds)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func found(_ address: BluetoothAddress) async -> ScannedDevice? {
        let found = Mutex<ScannedDevice?>(nil)
        guard
            let client = try? BlueZClient(
                LookUpMachine(address: address), address: busAddress, clock: clock)
        else { return nil }
        try? await client.run { devices, _ in found.withLock { $0 = devices.last?.device } }
        return found.withLock { $0 }
    }
}

/// Ends with the device as soon as the objects of bluetoothd are known.
private struct LookUpMachine: BlueZMachine {
    struct Output: BlueZOutput {
        let device: ScannedDevice
        var isDroppable: Bool { false }
    }

    let address: BluetoothAddress
    var wakeTime: BootInstant? { nil }

    mutating func handle(
        _ event: BlueZEvent<Never>, in tree: ManagedObjects, at now: BootInstant
    ) -> [BlueZAction<Never, Output>] {
        switch event {
        case .available:
            let device = ScannedDevice(address, in: tree)
            let output = device.map { [BlueZAction<Never, Output>.output(Output(device: $0))] }
            return (output ?? []) + [.end(LinkError("the device was looked up"))]
        case .unavailable(let problem): return [.end(problem)]
        default: return []
        }
    }
}
