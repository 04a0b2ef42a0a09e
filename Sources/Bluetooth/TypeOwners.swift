import Readings

/// Which profile reports each quantity type of one link.
///
/// A device may report a value by several services: a power meter sends the turns of the crank by
/// its own service and by the one for speed and cadence. The first profile that reports a type on a
/// link keeps it, so that nothing is stored twice.
struct TypeOwners: Sendable {
    private var owners: [(stream: String, profile: Int)] = []

    /// Whether to use a reading of a profile.
    mutating func admit(_ reading: Reading, of profile: Int) -> Bool {
        switch reading {
        case .state, .identity: return true
        case .instant, .counter, .beats, .waveform, .metadata, .correlation: break
        }
        let stream = reading.streamName
        if let owner = owners.first(where: { $0.stream == stream }) {
            return owner.profile == profile
        }
        owners.append((stream, profile))
        return true
    }

    /// Forgets all, for a new link.
    mutating func forget() {
        owners = []
    }
}
