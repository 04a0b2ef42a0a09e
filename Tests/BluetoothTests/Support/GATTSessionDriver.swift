import GatewayCore
import Platform
import Readings

@testable import Bluetooth

/// Drives one session and describes its actions in words.
struct GATTSessionDriver {
    private(set) var session: GATTSession
    private(set) var now = BootInstant(nanoseconds: 1_000_000_000_000)
    /// What was asked and has not been answered.
    private(set) var question: GATTSession.Operation?
    /// Whether something was asked while something else was.
    private(set) var hasOverlappingRequests = false

    /// `nil` when the device offers nothing that is wanted.
    init?(
        _ profiles: [any GATTProfile] = [PulseProfile()],
        with characteristics: [BlueZCharacteristic] = BlueZCharacteristic.strap,
        battery: UInt8? = nil, acquired: Set<BluetoothUUID> = []
    ) {
        guard
            let session = GATTSession(
                profiles: profiles, characteristics: characteristics, batteryPercentage: battery,
                acquired: acquired)
        else { return nil }
        self.session = session
    }

    private mutating func words(_ actions: [Link.Action]) -> [String] {
        for case .perform(.gatt(let next)) in actions {
            hasOverlappingRequests = hasOverlappingRequests || question != nil
            question = next
        }
        return actions.map { $0.words(attempt: 1) }
    }

    mutating func open() -> [String] { words(session.open(at: now)) }

    mutating func answer(_ value: [UInt8]? = [1], isBusy: Bool = false) -> [String] {
        guard let asked = question else { return ["nothing was asked"] }
        question = nil
        return words(session.finished(asked, with: value, isBusy: isBusy, at: now))
    }

    mutating func refuseToLetAcquire() -> [String] {
        guard case .acquire(let path) = question else { return ["nothing was acquired"] }
        question = nil
        return words(session.acquireRefused(path))
    }

    /// The socket ends, and so many seconds pass.
    mutating func release(_ path: String, thenPass seconds: Double) -> [String] {
        session.released(path, at: now)
        now = now.adding(seconds: seconds)
        return words(session.wake(at: now))
    }

    /// Answers all requests and returns them.
    mutating func answerAll() -> [String] {
        var asked: [String] = []
        while let next = question, asked.count < 1_000 {
            asked.append(next.summary)
            _ = answer()
        }
        return asked
    }

    mutating func answer(
        out operation: GATTSession.Operation, with value: [UInt8]? = [1]
    ) -> [String] {
        words(session.finished(operation, with: value, at: now))
    }

    mutating func receive(_ value: [UInt8], from path: String) -> [String] {
        words(session.received(value, from: path, at: now))
    }

    mutating func print(_ line: String, on channel: Channel) -> [String] {
        words(session.printed(Array(line.utf8), on: channel, at: now))
    }

    mutating func battery(_ percentage: UInt8) -> [String] {
        words(session.battery(percentage, at: now))
    }

    mutating func probe() -> [String]? { session.probe().map { words($0) } }

    mutating func renew() -> [String] { words(session.renew()) }

    mutating func pass(_ seconds: Double) -> [String] {
        now = now.adding(seconds: seconds)
        guard let due = session.wakeTime, due <= now else { return [] }
        return words(session.wake(at: now))
    }
}
