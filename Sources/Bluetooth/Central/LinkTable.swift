import GatewayCore
import Platform

/// The links of a source, with indexes that every change of a link updates, so that no event has to
/// look at all links.
struct LinkTable: Sendable {
    /// What the indexes know of a link.
    fileprivate struct Entry: Hashable {
        let isReady: Bool
        let isUnseen: Bool
        let needsDiscovery: Bool
        /// The adapter that the link occupies by connecting or disconnecting.
        let busyAdapter: String?
        /// The adapter that carries the link, or will.
        let adapter: String?
    }

    private var links: [BluetoothAddress: Link] = [:]
    private var entries: [BluetoothAddress: Entry] = [:]
    private var wakeTimes = WakeTimes<BluetoothAddress>()
    /// The links that wait for an idle adapter.
    private(set) var ready: Set<BluetoothAddress> = []
    /// The links that wait to be seen.
    private(set) var unseen: Set<BluetoothAddress> = []
    /// The links that were made here and may exist.
    private(set) var own: Set<BluetoothAddress> = []
    /// The devices whose membership in ``own`` has changed.
    private var ownershipChanges: Set<BluetoothAddress> = []
    private var discoveryCount = 0
    private var busyCounts = AdapterCounts()
    private var linkCounts = AdapterCounts()

    /// Whether a device has to be discovered.
    var needsDiscovery: Bool { discoveryCount > 0 }
    /// The time at which the first link wants its timer.
    var wakeTime: BootInstant? { wakeTimes.earliest }
    /// The number of stored wake times, with obsolete ones.
    var wakeTimeCount: Int { wakeTimes.size }
    var count: Int { links.count }
    var keys: Dictionary<BluetoothAddress, Link>.Keys { links.keys }
    var values: Dictionary<BluetoothAddress, Link>.Values { links.values }

    /// Whether a link occupies an adapter by connecting or disconnecting.
    func isBusy(adapter path: String) -> Bool { busyCounts[path] > 0 }

    /// The number of links that an adapter carries or is making.
    func linkCount(of adapter: String) -> Int { linkCounts[adapter] }

    subscript(address: BluetoothAddress) -> Link? { links[address] }

    func contains(_ address: BluetoothAddress) -> Bool { links.index(forKey: address) != nil }

    /// Reads something of a link without a copy of it.
    func read<Result>(_ address: BluetoothAddress, _ body: (Link) -> Result) -> Result? {
        links.index(forKey: address).map { body(links.values[$0]) }
    }

    /// Adds a link, which has no device object yet.
    mutating func insert(_ link: Link) {
        links[link.address] = link
        updateIndexes(of: link.address, path: nil)
    }

    mutating func remove(_ address: BluetoothAddress) {
        links[address] = nil
        noteOwnership(of: address, false)
        updateIndexes(of: address, path: nil)
    }

    /// Changes a link in place; a copy would copy the state of its session.
    ///
    /// - Parameter path: The device object of the link.
    /// - Returns: The result, and whether the state of the link is another one; nil without a link.
    mutating func update<Result>(
        _ address: BluetoothAddress, path: String?, _ change: (inout Link) -> Result
    ) -> (result: Result, isOtherState: Bool)? {
        guard let index = links.index(forKey: address) else { return nil }
        let state = links.values[index].state
        let result = change(&links.values[index])
        wakeTimes.set(address, to: links.values[index].wakeTime)
        noteOwnership(of: address, links.values[index].isOwnLink)
        let isOtherState = links.values[index].state != state
        if isOtherState { updateIndexes(of: address, path: path) }
        return (result, isOtherState)
    }

    /// Removes and returns the links whose timer is due; each must be updated.
    mutating func removeDue(at now: BootInstant) -> [BluetoothAddress] {
        wakeTimes.removeDue(at: now)
    }

    private mutating func noteOwnership(of address: BluetoothAddress, _ isOwn: Bool) {
        guard isOwn != own.contains(address) else { return }
        Self.update(&own, address, isMember: isOwn)
        ownershipChanges.insert(address)
    }

    /// Removes and returns the devices whose membership in ``own`` has changed.
    mutating func removeOwnershipChanges() -> Set<BluetoothAddress> {
        guard !ownershipChanges.isEmpty else { return [] }
        defer { ownershipChanges = [] }
        return ownershipChanges
    }

    /// Discards the changes of ``own``.
    mutating func forgetOwnershipChanges() { ownershipChanges = [] }

    private mutating func updateIndexes(of address: BluetoothAddress, path: String?) {
        let old = entries[address]
        let new = links[address].map { Entry($0, path: path) }
        entries[address] = new
        wakeTimes.set(address, to: links[address]?.wakeTime)
        Self.update(&ready, address, isMember: new?.isReady == true)
        Self.update(&unseen, address, isMember: new?.isUnseen == true)
        discoveryCount += (new?.needsDiscovery == true ? 1 : 0)
        discoveryCount -= (old?.needsDiscovery == true ? 1 : 0)
        busyCounts.move(from: old?.busyAdapter, to: new?.busyAdapter)
        linkCounts.move(from: old?.adapter, to: new?.adapter)
    }

    private static func update(
        _ set: inout Set<BluetoothAddress>, _ address: BluetoothAddress, isMember: Bool
    ) {
        if isMember { set.insert(address) } else { set.remove(address) }
    }
}

extension LinkTable.Entry {
    fileprivate init(_ link: Link, path: String?) {
        isReady = link.isReadyToConnect
        isUnseen = link.state == .wanted(isSeen: false)
        needsDiscovery = link.needsDiscovery
        let used = link.isLinked ? path.map(CentralMachine.adapterPath) : nil
        adapter = used
        busyAdapter = link.isBusy ? used : nil
    }
}

/// How many links each adapter has.
private struct AdapterCounts: Sendable {
    private var counts: [String: Int] = [:]

    subscript(adapter: String) -> Int { counts[adapter] ?? 0 }

    /// Counts a link that has changed its adapter.
    mutating func move(from old: String?, to new: String?) {
        guard old != new else { return }
        if let new { counts[new, default: 0] += 1 }
        guard let old else { return }
        let count = self[old] - 1
        counts[old] = count > 0 ? count : nil
    }
}

/// The devices that wait for each adapter.
struct AdapterQueues: Sendable {
    private var queues: [String: Set<BluetoothAddress>] = [:]
    private var adapters: [BluetoothAddress: [String]] = [:]

    /// The devices that wait for an adapter.
    subscript(adapter: String) -> Set<BluetoothAddress> { queues[adapter] ?? [] }

    /// Whether a device waits for any adapter.
    func contains(_ address: BluetoothAddress) -> Bool { adapters[address] != nil }

    /// Sets the adapters that a device waits for.
    mutating func set(_ address: BluetoothAddress, to new: [String]) {
        let old = adapters[address] ?? []
        guard old != new else { return }
        for adapter in old {
            queues[adapter]?.remove(address)
            if queues[adapter]?.isEmpty == true { queues[adapter] = nil }
        }
        for adapter in new { queues[adapter, default: []].insert(address) }
        adapters[address] = new.isEmpty ? nil : new
    }
}
