import GatewayCore
import Platform
import Readings

/// Changes of the device selection.
extension CentralMachine {
    /// A change from outside of bluetoothd.
    enum Command: Sendable {
        /// Read these devices.
        case select(BluetoothSelection)
        /// The program with this channel has printed lines for a device.
        case printed(BluetoothAddress, Channel, [[UInt8]])
    }

    /// Applies a new selection, or handles the lines of a program.
    mutating func apply(
        _ command: Command, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch command {
        case .select(let new):
            return select(new, in: tree, at: now) + ownershipChanges()
        case .printed(let address, let channel, let lines):
            return lines.flatMap { line in
                move(address, in: tree, at: now) { $0.printed(line, on: channel, at: now) }
            }
        }
    }

    /// Releases removed devices and looks for new ones; all others keep their links.
    private mutating func select(
        _ new: BluetoothSelection, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        selection = new
        excess = ExcessDevices()
        isPlanOutdated = true
        var actions: [Action] = []
        for address in links.keys.sorted() where !new.includes(address) {
            actions += release(address, in: tree, at: now)
        }
        for address in new.named.sorted() where links[address] == nil {
            links.insert(makeLink(to: address))
            let wanted = DeviceReport.Content.link(.wanted, reason: "not seen yet")
            actions.append(.output(.report(address, wanted)))
        }
        guard isAvailable else { return actions }
        for device in tree.devices { actions += consider(device, in: tree, at: now) }
        return actions + evaluateCapacity(in: tree) + plan(in: tree, at: now)
    }

    private mutating func release(
        _ address: BluetoothAddress, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        let idle = endIdleLink(to: address, in: tree)
        let actions = idle + move(address, in: tree, at: now) { $0.stop(at: now) }
        return actions + remove(address)
    }
}

extension BluetoothSelection {
    /// Whether a device with a link is still selected.
    fileprivate func includes(_ address: BluetoothAddress) -> Bool {
        !denied.contains(address) && (devices == .any || named.contains(address))
    }
}
