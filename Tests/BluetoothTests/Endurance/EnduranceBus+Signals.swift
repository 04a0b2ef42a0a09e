import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// The signals of bluetoothd.
extension EnduranceBus {
    /// The straps without a link.
    var unlinked: [UInt8] {
        straps.filter { $0.value.adapter == nil && $0.value.isThere }.keys.sorted()
    }

    func discover(_ adapter: Int, _ isDiscovering: Bool) {
        adapters[adapter].isDiscovering = isDiscovering
        adapters[adapter].idleSince = isDiscovering ? nil : now
        let path = adapters[adapter].path
        guard driver.daemon.tree.adapter(at: path) != nil else { return }
        driver.set(path, ["Discovering": .boolean(isDiscovering)], of: BlueZName.adapter)
    }

    func advertise(_ number: UInt8, on adapter: Int) {
        guard let strap = straps[number], strap.isThere, strap.adapter == nil, isUsable(adapter),
            adapters[adapter].isDiscovering
        else { return }
        let strength = Int16(-40 - self.number(below: 50))
        let path = strap.paths[adapter]
        guard driver.daemon.tree.device(at: path) != nil else {
            return driver.feed { $0.addDevice(number, on: adapter, strength: strength) }
        }
        driver.set(path, ["RSSI": .int16(strength)])
    }

    /// The strap measures a pulse.
    func beat(_ number: UInt8) {
        guard let strap = straps[number], !strap.isSilent, strap.isNotifying,
            let adapter = strap.adapter
        else { return }
        if driver.machine.links.read(strap.address, { $0.isEstablished }) == true {
            counts.values += 1
        }
        let value = BusValue.bytes([UInt8(60 + self.number(below: 100))])
        driver.set(strap.measurements[adapter], ["Value": value], of: BlueZName.gattCharacteristic)
    }

    /// The link of a strap ends, `isWanted` by the central.
    func drop(_ number: UInt8, isWanted: Bool = false) {
        guard let strap = straps[number], let adapter = strap.adapter else { return }
        if !isWanted {
            counts.losses += 1
            straps[number]?.wellSince = now
        }
        straps[number]?.adapter = nil
        straps[number]?.isNotifying = false
        lastLoss = now
        guard driver.daemon.tree.device(at: strap.paths[adapter]) != nil else { return }
        driver.set(
            strap.paths[adapter],
            ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
    }

    func removeObjects(below path: String) {
        for number in straps.keys.sorted() {
            guard let strap = straps[number], let adapter = strap.adapter,
                strap.paths[adapter].hasPrefix(path)
            else { continue }
            drop(number)
        }
        let paths = driver.daemon.tree.paths.filter { $0.hasPrefix(path) }
        for path in paths.sorted(by: >) {
            driver.feed {
                $0.remove(
                    path, BlueZName.gattCharacteristic, BlueZName.gattService, BlueZName.device,
                    BlueZName.adapter)
            }
        }
    }

    /// Nothing more is wrong with a strap since now, as far as this fault is concerned.
    func note(_ fault: Fault, _ number: UInt8) {
        straps[number]?.wellSince = now
        straps[number]?.trouble = fault
    }
}

extension MachineDriver {
    /// Changes properties of an object.
    func set(
        _ path: String, _ properties: [String: BusValue], of interface: String = BlueZName.device
    ) {
        feed { $0.set(path, interface, properties) }
    }
}

extension Link {
    /// Whether values are expected.
    fileprivate var isEstablished: Bool {
        switch state {
        case .subscribing, .live, .stale: true
        default: false
        }
    }
}
