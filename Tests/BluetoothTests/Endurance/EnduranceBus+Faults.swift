import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// What goes wrong, and how it ends.
extension EnduranceBus {
    enum Fault: CaseIterable {
        case drop, leave, connect, refuse, pairing, silence, silentLink, stuckDisconnect
        case power, unplug, restart, strangers, endDiscovery, refuseFilter, deafStart
    }

    static let residents = UInt8(1)...20
    static let strangers = UInt8(100)...180

    /// A fault begins; returns how to end it, and after how many seconds.
    func begin(_ fault: Fault) -> (seconds: Double, end: () -> Void) {
        let strap = UInt8(1 + number(below: Self.residents.count))
        // A silent strap is tried every few seconds, so it is not silent for long.
        let isSilence = fault == .silence || fault == .silentLink
        let longest = number(below: 8) > 0 ? 60 : isSilence ? 300 : 1_800
        let seconds = Double(1 + number(below: longest))
        switch fault {
        case .drop, .connect, .refuse, .pairing, .stuckDisconnect:
            spoil(strap, fault)
            drop(strap)
            note(fault, strap)
            return (0, {})
        case .leave:
            straps[strap]?.isThere = false
            drop(strap)
            if number(below: 2) == 0 { forget(strap) }
            return (seconds, { self.returns(strap, fault) })
        case .silence:
            straps[strap]?.isSilent = true
            drop(strap)
            return (seconds, { self.returns(strap, fault) })
        case .silentLink:
            straps[strap]?.isSilent = true
            // Until the next value is overdue, and longer.
            let limits = EnduranceRun.seconds
            let overdue = nextBeat.adding(seconds: limits.silence - limits.beat)
            return (overdue.seconds(since: now) + seconds, { self.returns(strap, fault) })
        case .strangers: return (seconds, come(number(below: 16) == 0 ? 81 : 3))
        case .power, .unplug, .restart, .endDiscovery, .refuseFilter, .deafStart:
            return (seconds, strike(fault, number(below: 2)))
        }
    }

    private func spoil(_ strap: UInt8, _ fault: Fault) {
        switch fault {
        case .connect:
            let faults = EnduranceStrap.ConnectFault.allCases
            straps[strap]?.connectFault = faults[number(below: faults.count)]
            straps[strap]?.wrongConnects = 1 + number(below: 6)
        case .refuse: straps[strap]?.refusals = 1 + number(below: 4)
        case .pairing: straps[strap]?.asksForPairing = true
        case .stuckDisconnect:
            straps[strap]?.refusals = 1
            straps[strap]?.stuckDisconnects = 1
        default: break
        }
    }

    private func returns(_ strap: UInt8, _ fault: Fault) {
        straps[strap]?.isThere = true
        straps[strap]?.isSilent = false
        note(fault, strap)
        beat(strap)
    }

    func forget(_ strap: UInt8) {
        for adapter in 0..<2 { removeObjects(below: Daemon.device(strap, on: adapter)) }
    }

    /// Strangers come; returns how they go.
    func come(_ count: Int) -> () -> Void {
        let new = Self.strangers.shuffled(using: &random).prefix(count).filter {
            straps[$0] == nil
        }
        for number in new {
            add(number)
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
