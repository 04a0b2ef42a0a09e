import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// What goes wrong, and how it ends.
extension EnduranceBus {
    enum Fault: CaseIterable {
        case drop, power, unplug, restart, leave, connect, endDiscovery, refuse, pairing, silence
        case strangers
    }

    static let residents = UInt8(1)...20
    static let strangers = UInt8(100)...180

    /// A fault begins; returns how to end it, and after how many seconds.
    func begin(_ fault: Fault) -> (seconds: Double, end: () -> Void) {
        let adapter = number(below: 2)
        let strap = UInt8(1 + number(below: Self.residents.count))
        let seconds = Double(1 + number(below: number(below: 5) == 0 ? 1_800 : 60))
        switch fault {
        case .drop: drop(strap)
        case .power:
            setPower(adapter, false)
            return (seconds, { self.setPower(adapter, true) })
        case .unplug:
            unplug(adapter)
            return (seconds, { self.plug(adapter) })
        case .restart:
            die()
            return (seconds, revive)
        case .leave:
            straps[strap]?.isThere = false
            drop(strap)
            if number(below: 2) == 0 { forget(strap) }
            return (seconds, { self.returns(strap) })
        case .connect:
            straps[strap]?.connectFault = ConnectFault.allCases[number(below: 4)]
            straps[strap]?.wrongConnects = 1 + number(below: 6)
            drop(strap)
        case .endDiscovery: if adapters[adapter].isDiscovering { discover(adapter, false) }
        case .refuse:
            straps[strap]?.refusals = 1 + number(below: 4)
            drop(strap)
        case .pairing:
            straps[strap]?.asksForPairing = true
            drop(strap)
        case .silence:
            straps[strap]?.isSilent = true
            return (3_000, { self.returns(strap) })
        case .strangers: return (seconds, come(number(below: 8) == 0 ? 81 : 3))
        }
        returns(strap)
        return (0, {})
    }

    private func returns(_ strap: UInt8) {
        straps[strap]?.isThere = true
        straps[strap]?.isSilent = false
        straps[strap]?.wellSince = now
    }

    private func areAllWellSinceNow() {
        for number in straps.keys { straps[number]?.wellSince = now }
    }

    private func forget(_ strap: UInt8) {
        for adapter in 0..<2 { removeObjects(below: Daemon.device(strap, on: adapter)) }
    }

    private func dropAll(on adapter: Int) {
        for number in straps.keys.sorted() where straps[number]?.adapter == adapter { drop(number) }
    }

    private func setPower(_ adapter: Int, _ isPowered: Bool) {
        dropAll(on: adapter)
        adapters[adapter].isPowered = isPowered
        adapters[adapter].isDiscovering = false
        guard isRunning, adapters[adapter].isThere else { return }
        driver.feed {
            $0.set(
                Daemon.adapter(adapter), BlueZName.adapter,
                ["Powered": .boolean(isPowered), "Discovering": .boolean(false)])
        }
        areAllWellSinceNow()
    }

    private func unplug(_ adapter: Int) {
        dropAll(on: adapter)
        adapters[adapter].isThere = false
        adapters[adapter].isDiscovering = false
        removeObjects(below: Daemon.adapter(adapter))
        areAllWellSinceNow()
    }

    private func plug(_ adapter: Int) {
        adapters[adapter].isThere = true
        guard isRunning else { return }
        driver.feed { $0.addAdapter(adapter, isPowered: adapters[adapter].isPowered) }
        areAllWellSinceNow()
    }

    private func die() {
        guard isRunning else { return }
        isRunning = false
        for number in straps.keys { straps[number]?.adapter = nil }
        for adapter in 0..<2 { adapters[adapter].isDiscovering = false }
        forgetCalls()
        driver.loseDaemon()
    }

    private func revive() {
        guard !isRunning else { return }
        isRunning = true
        for adapter in 0..<2 where adapters[adapter].isThere {
            driver.feed { $0.addAdapter(adapter, isPowered: adapters[adapter].isPowered) }
        }
        driver.start()
        areAllWellSinceNow()
    }

    /// Strangers come; returns how they go.
    private func come(_ count: Int) -> () -> Void {
        let new = Self.strangers.shuffled(using: &random).prefix(count).filter {
            straps[$0] == nil
        }
        for number in new {
            straps[number] = Strap(wellSince: now)
            for adapter in 0..<2 { advertise(number, on: adapter) }
        }
        return {
            for number in new {
                self.drop(number)
                self.straps[number] = nil
                self.forget(number)
            }
        }
    }
}
