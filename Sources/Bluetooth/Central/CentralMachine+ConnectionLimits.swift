import DBus
import GatewayCore
import Platform

/// Adapters that cannot have another link.
extension CentralMachine {
    /// Learns from the answer to `Connect` whether the adapter can have another link.
    mutating func noteConnectionLimit(
        _ address: BluetoothAddress, _ error: BusError?, at now: BootInstant
    ) {
        guard let adapter = linkPaths[address].map(Self.adapterPath) else { return }
        let count = links.linkCount(of: adapter)
        if let error {
            guard ConnectFailure(error) == .noSlot else { return }
            limits.refused(adapter, linkCount: count - 1, at: now)
        } else {
            limits.established(adapter, linkCount: count)
        }
        isPlanOutdated = true
    }

    /// Determines which adapters can have no other link, and who can connect because of that.
    mutating func updateFullAdapters(in tree: ManagedObjects, at now: BootInstant) {
        limits.tryAgain(at: now, isAwaited: !waitingForConnection.isEmpty)
        let full = Set(
            adapters.keys.filter { limits.isFull($0, linkCount: links.linkCount(of: $0)) })
        guard full != fullAdapters else { return }
        fullAdapters = full
        for address in links.ready { enqueue(address, in: tree) }
    }

    /// Reports the devices that wait because no adapter can have another link.
    func evaluateConnections() -> CentralProblem? {
        let known = adapters.values.filter(\.isPowered).compactMap { adapter in
            limits.limit(of: adapter.path).map { (name: adapter.name, limit: $0) }
        }
        guard !waitingForConnection.isEmpty, !known.isEmpty else { return nil }
        return .noFreeConnection(
            adapters: known.map(\.name).sorted(), links: known.map(\.limit).reduce(0, +),
            waiting: waitingForConnection.count)
    }
}
