import HealthModel
public import Platform

/// The number of actions that an adapter may request.
///
/// It grows with the time and with the bytes received, so that no adapter can flood the gateway:
/// every byte of a device allows two actions. A reading of heart beats or of a waveform counts as
/// many actions as it has values.
public struct AdapterAllowance: Sendable {
    /// The growth per second, in actions, and the maximum that is saved.
    static let actionsPerSecond = 1_000.0
    package static let maximumSaved = 2_000.0
    /// The growth per received byte, in actions.
    static let actionsPerByte = 2.0
    /// The growth per second, in bytes to send, and the maximum that is saved.
    static let sendBytesPerSecond = 16_384.0
    static let maximumSavedSendBytes = 65_536.0
    /// The minimum time until a timer, in nanoseconds.
    package static let minimumTimerNanoseconds: Int64 = 10_000_000

    private var actions = maximumSaved
    private var sendBytes = maximumSavedSendBytes
    private var last: BootInstant?
    /// The readings in excess of the allowance.
    private(set) var faults = ReadingFaults()
    /// The number of other actions in excess of the allowance.
    private(set) var excess = 0

    /// Makes a full allowance.
    public init() {}

    /// Adds what an event with a number of bytes earns.
    public mutating func earn(bytes: Int, at receipt: BootInstant) {
        let seconds = last.map { max(0, receipt.seconds(since: $0)) } ?? 0
        last = receipt
        actions =
            min(Self.maximumSaved, actions + seconds * Self.actionsPerSecond)
            + Double(bytes) * Self.actionsPerByte
        sendBytes = min(
            Self.maximumSavedSendBytes, sendBytes + seconds * Self.sendBytesPerSecond)
    }

    /// Spends what a reading costs; false, after counting it, if that is too much.
    public mutating func admits(_ reading: Reading) -> Bool {
        let cost = reading.cost
        guard Double(cost) > actions else {
            actions -= Double(cost)
            return true
        }
        faults.add(.flood, of: reading.streamName, count: cost)
        return false
    }

    /// Spends what another action costs; false, after counting it, if that is too much.
    public mutating func admitsAction(sending bytes: Int = 0) -> Bool {
        guard actions >= 1, Double(bytes) <= sendBytes else {
            excess += 1
            return false
        }
        actions -= 1
        sendBytes -= Double(bytes)
        return true
    }

    /// Returns the time of a timer, which is delayed and counted if it is too early.
    mutating func timer(at time: BootInstant, receipt: BootInstant) -> BootInstant {
        let earliest = receipt.adding(nanoseconds: Self.minimumTimerNanoseconds)
        guard time < earliest else { return time }
        excess += 1
        return earliest
    }

    /// Returns and resets the counts of what was in excess.
    public mutating func takeExcess() -> (faults: ReadingFaults, actions: Int) {
        defer {
            faults = ReadingFaults()
            excess = 0
        }
        return (faults, excess)
    }
}

extension Reading {
    /// The number of records that the reading may become.
    fileprivate var cost: Int {
        switch self {
        case .beats(let beats): max(1, beats.ticks.count)
        case .waveform(let waveform): max(1, waveform.values.count)
        case .correlation(let correlation): max(1, correlation.members.count)
        case .instant, .counter, .state, .identity, .metadata: 1
        }
    }

    /// The stream under which its faults are counted.
    package var streamName: String {
        switch self {
        case .instant(let type, _, _), .metadata(_, let type): type.name
        case .counter(let counter): counter.type.name
        case .beats: "rrInterval"
        case .waveform(let waveform): waveform.type.name
        case .correlation(let correlation): correlation.type.name
        case .state(.battery): "battery"
        case .state(.contact): "contact"
        case .identity: "identity"
        }
    }
}
