import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// Faults of bluetoothd and of its adapters.
extension EnduranceBus {
    /// A fault begins that is not the strap's; returns how it ends.
    func strike(_ fault: Fault, _ adapter: Int) -> () -> Void {
        switch fault {
        case .power: setPower(adapter, false)
        case .unplug: unplug(adapter)
        case .restart: die()
        case .refuseFilter: adapters[adapter].refusesFilters = true
        case .deafStart: adapters[adapter].isDeaf = true
        default: break
        }
        if [.endDiscovery, .refuseFilter, .deafStart].contains(fault) { endDiscovery(adapter) }
        return { self.mend(fault, adapter) }
    }

    private func mend(_ fault: Fault, _ adapter: Int) {
        switch fault {
        case .power: setPower(adapter, true)
        case .unplug: plug(adapter)
        case .restart: revive()
        case .refuseFilter: adapters[adapter].refusesFilters = false
        case .deafStart: adapters[adapter].isDeaf = false
        default: return
        }
        for number in straps.keys.sorted() { straps[number]?.wellSince = now }
        for adapter in 0..<2 where !adapters[adapter].isDiscovering {
            adapters[adapter].idleSince = now
        }
    }

    private func endDiscovery(_ adapter: Int) {
        if adapters[adapter].isDiscovering { discover(adapter, false) }
    }

    private func dropAll(on adapter: Int) {
        for number in straps.keys.sorted() where straps[number]?.adapter == adapter { drop(number) }
    }

    private func setPower(_ adapter: Int, _ isPowered: Bool) {
        dropAll(on: adapter)
        adapters[adapter].isPowered = isPowered
        adapters[adapter].isDiscovering = false
        guard isRunning, adapters[adapter].isThere else { return }
        driver.set(
            adapters[adapter].path,
            ["Powered": .boolean(isPowered), "Discovering": .boolean(false)],
            of: BlueZName.adapter)
    }

    private func unplug(_ adapter: Int) {
        dropAll(on: adapter)
        adapters[adapter].isThere = false
        adapters[adapter].isDiscovering = false
        removeObjects(below: adapters[adapter].path)
    }

    private func plug(_ adapter: Int) {
        guard !adapters[adapter].isThere else { return }
        adapters[adapter].isThere = true
        guard isRunning else { return }
        driver.feed { $0.addAdapter(adapter, isPowered: self.adapters[adapter].isPowered) }
    }

    private func die() {
        guard isRunning else { return }
        isRunning = false
        for number in straps.keys {
            if straps[number]?.adapter != nil { counts.losses += 1 }
            straps[number]?.adapter = nil
            straps[number]?.isNotifying = false
            straps[number]?.wellSince = now
        }
        for adapter in 0..<2 { adapters[adapter].isDiscovering = false }
        forgetCalls()
        driver.loseDaemon()
    }

    private func revive() {
        guard !isRunning else { return }
        isRunning = true
        for adapter in 0..<2 where adapters[adapter].isThere {
            driver.feed { $0.addAdapter(adapter, isPowered: self.adapters[adapter].isPowered) }
        }
        driver.start()
    }
}
