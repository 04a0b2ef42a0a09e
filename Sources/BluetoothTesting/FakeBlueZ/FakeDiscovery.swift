import DBus

/// The state of a plugged-in adapter.
struct FakeAdapterState {
    let description: FakeAdapter
    /// By the unique name of the client.
    var sessions: [String: FakeDiscoverySession] = [:]
    /// Whether bluetoothd has lost the kernel's discovery, although it still has the sessions.
    var isStalled = false
    /// The error for setting `Powered`, if any.
    var powerFault: FakeFault?
    /// The devices with a connection attempt in progress.
    var connecting: Set<String> = []
    var maximumSimultaneousConnects = 0

    var isDiscovering: Bool { !isStalled && sessions.values.contains(where: \.isActive) }

    /// Whether the filter of any active session accepts this device; all sessions share the
    /// results.
    func includes(_ device: FakeDevice) -> Bool {
        !isStalled && sessions.values.contains { $0.isActive && $0.filter.accepts(device) }
    }
}

/// The discovery session of one client with an adapter.
struct FakeDiscoverySession {
    var filter = FakeDiscoveryFilter()
    var isActive = false
}

/// A filter of `SetDiscoveryFilter`.
struct FakeDiscoveryFilter {
    static let keys = [
        "UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern",
    ]

    private var uuids: Set<String> = []
    private var rssi: Int?
    private var pattern: String?
    private var transport = "auto"

    init() {}

    /// Parses a filter; nil for an unknown key or a value of the wrong type.
    init?(_ value: BusValue?) {
        guard let entries = value?.entries else { return nil }
        for (key, value) in entries {
            switch key {
            case "UUIDs":
                guard let texts = value.elements?.map(\.string) else { return nil }
                uuids = Set(texts.compactMap { $0.map(FakeUUID.full) })
            case "RSSI":
                guard case .int16(let limit) = value else { return nil }
                rssi = Int(limit)
            case "Transport":
                guard let text = value.string, ["auto", "bredr", "le"].contains(text) else {
                    return nil
                }
                transport = text
            case "Pattern":
                guard let text = value.string else { return nil }
                pattern = text
            case "Pathloss":
                guard case .uint16 = value else { return nil }
            case "DuplicateData", "Discoverable":
                guard value.boolean != nil else { return nil }
            default: return nil
            }
        }
    }

    func accepts(_ device: FakeDevice) -> Bool {
        guard transport != "bredr" else { return false }
        if let rssi, Int(device.rssi) < rssi { return false }
        if !uuids.isEmpty, uuids.isDisjoint(with: device.advertisedUUIDs.map(FakeUUID.full)) {
            return false
        }
        guard let pattern else { return true }
        return device.address.hasPrefix(pattern) || device.name?.hasPrefix(pattern) == true
    }
}
