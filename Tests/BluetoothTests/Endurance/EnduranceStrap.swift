import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// A strap near an ``EnduranceBus``, and what goes wrong with it.
struct EnduranceStrap {
    enum ConnectFault: CaseIterable { case hangs, disturbed, noSlot, drops }

    let address: BluetoothAddress
    /// Its object on each adapter.
    let paths: [String]
    /// Its pulse on each adapter.
    let measurements: [String]
    var isThere = true
    /// The adapter of its link.
    var adapter: Int?
    /// Whether bluetoothd has subscribed to its pulse for the central.
    var isNotifying = false
    var connectFault: ConnectFault?
    /// The number of connects that go wrong.
    var wrongConnects = 0
    /// The number of subscriptions that are refused.
    var refusals = 0
    /// The number of disconnects that are not answered.
    var stuckDisconnects = 0
    var asksForPairing = false
    /// It neither measures nor answers.
    var isSilent = false
    /// Since when nothing prevents its link.
    var wellSince: BootInstant
    /// What has happened to it, until its link is back.
    var trouble: EnduranceBus.Fault?

    init(_ number: UInt8, wellSince: BootInstant) {
        address = .ending(number)
        paths = (0..<2).map { Daemon.device(number, on: $0) }
        measurements = paths.map { "\($0)/service180d/c2" }
        self.wellSince = wellSince
    }
}

/// An adapter of an ``EnduranceBus``.
struct EnduranceAdapter {
    let path: String
    var isThere = true
    var isPowered = true
    var isDiscovering = false
    /// Since when it could discover and does not.
    var idleSince: BootInstant?
    /// It refuses every discovery filter.
    var refusesFilters = false
    /// `StartDiscovery` succeeds, and nothing happens.
    var isDeaf = false

    init(_ number: Int) {
        path = Daemon.adapter(number)
    }
}
