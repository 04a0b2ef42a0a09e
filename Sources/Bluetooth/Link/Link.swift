import DBus
import GatewayCore
import Platform
import Readings

/// The link to one device, as a state machine without I/O.
///
/// ``LinkState`` describes the states. The link never gives up; a loss of the bus, of bluetoothd or
/// of the adapter does not count as a failure of the device.
struct Link: Sendable {
    /// A call to bluetoothd.
    enum Operation: Hashable, Sendable {
        case connect
        case disconnect
        /// Remove the device object, and with it the cached services.
        case remove
        case gatt(GATTSession.Operation)
    }

    /// An action to perform.
    enum Action: Sendable {
        /// Make this call; the answer belongs to the current attempt.
        case perform(Operation)
        /// Report this about the device.
        case report(DeviceReport.Content)
        /// Restart discovery, so that this device is reported again if it is in range.
        case restartDiscovery
        /// A detail for the debug log.
        case note(String)
        /// The device requires pairing, for this reason.
        case requiresPairing(String)
        /// `count` links in a row have failed, the last one for this reason.
        case keepsFailing(String, count: Int)
        /// Send this to the program with this channel; it is started by the event `opened`.
        case program(Channel, DecoderInput)
    }

    enum State: Hashable, Sendable {
        /// Waits to be seen, or, once seen, for an idle adapter.
        case wanted(isSeen: Bool)
        case connecting
        case resolving
        case subscribing
        case live
        /// Silent; a probe is in progress (`isProbing`), or the next one is scheduled.
        case stale(isProbing: Bool)
        /// Waits for the link to end.
        case ending(Ending)
        case backOff(isSeen: Bool, endsWhenSeen: Bool)
        case idle
    }

    /// Why a link ended or failed, sorted by what happens next.
    struct Ending: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case transient
            case failure
            case unavailable
            /// The adapter has no free connection.
            case adapterFull
            case missingService
            /// The device rejected the subscriptions.
            case refused
            /// The device requires pairing.
            case unpaired
            /// The device may require pairing.
            case suspected

            /// Whether another adapter may do better: a disturbance passes, and a missing service is
            /// not the fault of the adapter.
            var dependsOnAdapter: Bool {
                switch self {
                case .failure, .unavailable, .unpaired, .suspected: true
                case .transient, .adapterFull, .missingService, .refused: false
                }
            }
        }

        let kind: Kind
        let reason: String

        /// Whether an advertisement ends the pause.
        ///
        /// A missing service, subscription or pairing will not be different a moment later.
        var endsWhenSeen: Bool {
            switch kind {
            case .transient, .failure, .unavailable, .adapterFull: true
            case .missingService, .refused, .unpaired, .suspected: false
            }
        }
    }

    let address: BluetoothAddress
    let policy: LinkPolicy
    let profiles: [any GATTProfile]
    /// The time of the next ``timerFired(at:)``.
    var wakeTime: BootInstant? {
        .earlier(
            .earlier(deadline, session?.wakeTime), state == .connecting ? connectTime : nil)
    }
    var state = State.wanted(isSeen: false)
    /// The number of the current attempt, to recognize answers to earlier ones.
    var attempt = 0
    var deadline: BootInstant?
    /// When to call `Connect` again, because bluetoothd was busy with another attempt.
    var connectTime: BootInstant?
    var session: GATTSession?
    var failures: LinkFailures
    var lastAttempt: BootInstant?
    /// When the device was last received.
    var lastSeen: BootInstant?
    var liveSince: BootInstant?
    var isRenewed = false
    /// The number of consecutive requests that were not answered while the session was set up.
    var unansweredCount = 0
    /// Whether bluetoothd left a request to acquire notifications unanswered, as it does when the
    /// device refuses; the later links subscribe over the bus.
    var isAcquireUnanswered = false
    /// Whether the link has delivered a value since its subscriptions were accepted.
    var hasData = false
    /// Whether the link was made by our `Connect`, or may still be.
    ///
    /// Only such a link is ended here: a link that existed before may be used by another program.
    var isOwnLink = false
    /// Whether the device is paired with this machine.
    var isPaired = false
    var pairing = PairingSigns()
    /// Whether bluetoothd reported the services as resolved before their objects existed.
    var areServicesLate = false
    /// The path of the device object of the last failed attempt; set by ``CentralMachine``.
    var failedPath: String?
    /// The path of the device object of the last link; set by ``CentralMachine``.
    var lastPath: String?
    /// What it has reported to wait for.
    var reportedWait: Wait?
    /// Why the last attempt has failed; nil after a link or an interruption.
    var lastFailure: Ending.Kind?
    /// When the last link that was set up has ended.
    var lastLinkEnd: BootInstant?
    /// Whether the last attempt failed because the adapter has no free connection.
    var isTurnedAway = false
    /// The last known reason why there is no link.
    var lastReason = "not seen yet"

    /// The mark of the profiles' calls.
    let mark: CallMark?

    init(
        address: BluetoothAddress, profiles: [any GATTProfile], policy: LinkPolicy,
        mark: CallMark? = nil
    ) {
        self.address = address
        self.mark = mark
        self.profiles = profiles
        self.policy = policy
        failures = LinkFailures(policy)
    }

    /// Whether it waits for an idle adapter.
    var isReadyToConnect: Bool { state == .wanted(isSeen: true) }

    /// Whether it occupies the adapter by connecting or disconnecting.
    var isBusy: Bool {
        switch state {
        case .connecting, .ending: true
        default: false
        }
    }

    /// Whether the device has to be discovered.
    var needsDiscovery: Bool {
        switch state {
        case .wanted, .backOff: true
        default: false
        }
    }

    /// Whether it has no link because an adapter had no free connection; also while it tries again.
    var isRefusedByAdapter: Bool { isTurnedAway && (isBackingOff || state == .connecting) }

    /// When the device was last there, as far as known.
    var lastSign: BootInstant { max(lastSeen ?? .distantPast, lastLinkEnd ?? .distantPast) }

    /// Whether an unnamed device has to make room for another one: it was not seen since its link
    /// ended, or it was not there for some time.
    func isReplaceable(at now: BootInstant) -> Bool {
        if state == .wanted(isSeen: false) { return true }
        guard !isLinked else { return false }
        return lastSign == .distantPast || now.seconds(since: lastSign) >= policy.replaceSeconds
    }

    /// Whether it waits after a failure.
    var isBackingOff: Bool {
        if case .backOff = state { true } else { false }
    }

    /// Whether a link exists or may exist.
    var isLinked: Bool {
        switch state {
        case .connecting, .resolving, .subscribing, .live, .stale, .ending: true
        case .wanted, .backOff, .idle: false
        }
    }
}
