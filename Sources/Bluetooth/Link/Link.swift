import DBus
import GatewayCore
import Platform

/// The life of the link to one device, as a state machine without input or output.
///
/// ``LinkState`` has the states' meaning. The device is never given up; what happens to the bus, to
/// bluetoothd or to the adapter is no failure of the device's.
struct Link: Sendable {
    /// Something that bluetoothd is asked to do with the device.
    enum Operation: Hashable, Sendable {
        case connect
        case disconnect
        /// Forget the device and what is remembered of its services.
        case remove
        case converse(GATTSession.Operation)
    }

    /// What is to be done, in order.
    enum Action: Sendable {
        /// Ask for this; the answer is of the link's current attempt.
        case perform(Operation)
        /// Say this about the device.
        case report(DeviceReport.Content)
        /// Begin looking for devices anew, so that this one is heard if it is there.
        case lookAgain
        /// Somebody who looks for a fault may want to know this.
        case note(String)
    }

    enum State: Hashable, Sendable {
        /// Waits to be heard, or, once heard, for its turn.
        case wanted(isHeard: Bool)
        case connecting
        case resolving
        case subscribing
        case live
        /// Silent; it has been asked for something, or answered and will be asked again later.
        case stale(isAsked: Bool)
        /// Waits for the end of the link.
        case ending(Ending)
        case backOff(isHeard: Bool, endsWhenHeard: Bool)
        case idle
    }

    /// Why a link is ended, or did not come about, sorted by what happens next.
    struct Ending: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case transient
            case failure
            case noRoom
            case missingService
            /// It is there, and does not give what is wanted.
            case refused
        }

        let kind: Kind
        let reason: String

        /// Whether it is worth another attempt as soon as the device is heard.
        ///
        /// What it lacked when there was a link it will lack a moment later, too.
        var endsWhenHeard: Bool { kind != .missingService && kind != .refused }
    }

    let address: BluetoothAddress
    let policy: LinkPolicy
    let profiles: [any GATTProfile]
    /// When the link wants its next ``timerFired(at:)``.
    var wakeTime: BootInstant? {
        .earlier(deadline, session?.wakeTime)
    }
    var state = State.wanted(isHeard: false)
    /// Counts the attempts, so that an answer to an earlier one is known as such.
    var attempt = 0
    var deadline: BootInstant?
    var session: GATTSession?
    var failures: LinkFailures
    var lastAttempt: BootInstant?
    var liveSince: BootInstant?
    var isRenewed = false
    /// Whether the link was made by a `Connect` of ours, or may yet be.
    ///
    /// Only such a link is ended here: another program may use one that was there when we came.
    var isOurs = false
    /// Whether bluetoothd has said that the services are there when they were not.
    var areServicesLate = false
    /// The object that the last attempt failed with; it is for whoever knows the objects.
    var failedPath: String?
    /// The object that the last link was with, likewise.
    var lastPath: String?
    /// Whether it has said that it waits for its turn.
    var hasSaidToWait = false
    /// Why there is no link, as far as anything is known.
    var lastReason = "not heard yet"

    init(address: BluetoothAddress, profiles: [any GATTProfile], policy: LinkPolicy) {
        self.address = address
        self.profiles = profiles
        self.policy = policy
        failures = LinkFailures(backoff: policy.backoff)
    }

    /// Whether it waits for the adapter to have time for it.
    var wantsTurn: Bool { state == .wanted(isHeard: true) }

    /// Whether it keeps the adapter busy with making or ending a connection.
    var isBusy: Bool {
        switch state {
        case .connecting, .ending: true
        default: false
        }
    }

    /// Whether the device has to be looked for.
    var isSought: Bool {
        switch state {
        case .wanted, .backOff: true
        default: false
        }
    }

    /// Whether it waits after a failure.
    var isBackingOff: Bool {
        if case .backOff = state { true } else { false }
    }

    /// Whether there is, or may be, a link.
    var isLinked: Bool {
        switch state {
        case .connecting, .resolving, .subscribing, .live, .stale, .ending: true
        case .wanted, .backOff, .idle: false
        }
    }
}
