import DBus
import GatewayCore
import Platform

/// What the failures of a device's links say about its pairing.
struct PairingSigns: Hashable, Sendable {
    /// The number of consecutive links with the same typical failure from which on a missing
    /// pairing is suspected.
    static let suspicionCount = 3

    /// Whether a request of this link was rejected because the link is not encrypted.
    var isRefused = false
    /// Whether a subscription of this link was not answered.
    var isUnanswered = false
    /// The number of consecutive links that have failed like those of a device without pairing.
    var typicalFailures = 0
    /// Whether the operator was told.
    var isReported = false

    /// A new link has begun, or one was live.
    mutating func beginLink(after isLive: Bool = false) {
        isRefused = false
        isUnanswered = false
        if isLive { typicalFailures = 0 }
    }
}

/// Links to a device that requires encryption.
///
/// bluetoothd 5.66 raises the security of a link by itself when the device rejects a request, and
/// repeats the request. Without an agent the pairing fails, and the request is answered after 30 s
/// with the error of a lost link (ATT error 0x0e); a device that refuses to be paired drops the
/// link. An error that names the reason comes only from an adapter that cannot be paired, from other
/// versions, and from a device that wants more than the existing pairing.
extension Link {
    /// Handles a change of `Paired`, by whatever program.
    mutating func pairingChanged(to isPaired: Bool, at now: BootInstant) -> [Action] {
        guard isPaired != self.isPaired else { return [] }
        self.isPaired = isPaired
        guard isPaired else { return [] }
        pairing = PairingSigns()
        failures.paired()
        switch state {
        case .backOff(let isSeen, endsWhenSeen: false):
            return waitForDevice(
                isSeen: isSeen, reason: isSeen ? "paired" : "paired, and not seen since then")
        case .subscribing:
            // bluetoothd may have lost the request, and then accepts no other one on this link.
            deadline = now.adding(seconds: policy.pairedAnswerSeconds)
            return []
        default: return []
        }
    }

    /// Handles a pairing that the gateway's agent has rejected.
    mutating func pairingRejected(at now: BootInstant) -> [Action] {
        switch state {
        case .resolving, .subscribing:
            // bluetoothd would leave the request unanswered for 30 s.
            pairing.isRefused = true
            let ending = endingWithoutSubscription()
            return end(ending.kind, ending.reason, at: now)
        default: return []
        }
    }

    /// Notes the reason for a failed request.
    mutating func noteFailure(of operation: GATTSession.Operation, _ error: BusError) {
        if error.requiresPairing { pairing.isRefused = true }
        // When the requests before were not answered either, the device is not there.
        if operation.subscribedPath != nil, error == .timedOut, unansweredCount == 0 {
            pairing.isUnanswered = true
        }
    }

    /// The ending of a link to which no subscription was accepted.
    mutating func endingWithoutSubscription() -> Ending {
        if pairing.isRefused { return Ending(kind: .unpaired, reason: "needs pairing\(remedy)") }
        guard pairing.isUnanswered else {
            return Ending(kind: .refused, reason: "subscription rejected")
        }
        return explain(Ending(kind: .refused, reason: "no answer to the subscription"))
    }

    /// The ending of a link that was lost before it was live.
    mutating func endingOfEarlyLoss() -> Ending {
        let ending = Ending(kind: .transient, reason: "link lost before the first measurement")
        // A link is encrypted as soon as it exists, or else when the first request needs it.
        return state == (isPaired ? .resolving : .subscribing) ? explain(ending) : ending
    }

    /// Adds the suspicion to a typical failure that repeats.
    private mutating func explain(_ ending: Ending) -> Ending {
        pairing.typicalFailures += 1
        guard pairing.typicalFailures >= PairingSigns.suspicionCount else { return ending }
        let problem = isPaired ? "may have lost its pairing" : "may need pairing"
        let hint = isPaired ? ": \(renewal)" : ": pulsegate pair \(address)"
        return Ending(
            kind: .suspected, reason: "\(ending.reason); the device \(problem)\(hint)")
    }

    private var remedy: String {
        isPaired ? " again: \(renewal)" : ": pulsegate pair \(address)"
    }

    private var renewal: String {
        "bluetoothctl remove \(address), then pulsegate pair \(address)"
    }

    /// Tells the operator once that the device requires pairing.
    mutating func reportPairing(_ ending: Ending) -> [Action] {
        guard ending.kind == .unpaired, !pairing.isReported else { return [] }
        pairing.isReported = true
        return [.requiresPairing(ending.reason)]
    }
}

extension BusError {
    /// Whether the device rejected a request because the link is not encrypted, or because the
    /// encryption is too weak (Bluetooth Core 5.4, Vol 3 Part F 3.4.1.1).
    fileprivate var requiresPairing: Bool {
        guard case .remote(let name, let message) = self else { return false }
        return name == "org.bluez.Error.NotAuthorized"
            || Self.securityTexts.contains { message.contains(text: $0) }
    }

    /// Insufficient Authentication, Authorization, Encryption Key Size and Encryption.
    private static let securityTexts = [
        "Not paired", "ATT error: 0x05", "ATT error: 0x08", "ATT error: 0x0c", "ATT error: 0x0f",
        "Insufficient Authentication", "Insufficient Authorization", "Insufficient Encryption",
    ]
}
