import DBus
import Platform

@testable import Bluetooth

/// The answers of a bluetoothd that has just started to the discovery calls of a machine, one of
/// which goes wrong.
struct DiscoveryAnswers {
    /// How a call goes wrong.
    enum Fault: CaseIterable {
        case inProgress, failed, notReady
        /// It succeeds and does nothing.
        case noEffect
        case noAnswer
    }

    let fault: Fault
    /// The numbers of the calls that go wrong, from 0.
    let wrongCalls: Range<Int>
    /// How late the adapter shows that it is discovering.
    var delaySeconds = 0.0

    private var count = 0
    private(set) var hasSession = false

    init(_ fault: Fault, calls: Range<Int>, delaySeconds: Double = 0) {
        self.fault = fault
        wrongCalls = calls
        self.delaySeconds = delaySeconds
    }

    /// What a call is answered, and after how long.
    mutating func answer(
        _ call: BlueZCall
    ) -> (result: Result<[BusValue], BusError>, afterSeconds: Double) {
        defer { count += 1 }
        guard wrongCalls.contains(count) else { return (serve(call.member), 0) }
        switch fault {
        case .inProgress: return (.failure(.bluez("InProgress")), 0)
        case .failed: return (.failure(.failed("")), 0)
        case .notReady: return (.failure(.bluez("NotReady")), 0)
        case .noEffect: return (.success([]), 0)
        case .noAnswer: return (.failure(.timedOut), call.timeoutSeconds)
        }
    }

    private mutating func serve(_ member: String) -> Result<[BusValue], BusError> {
        switch member {
        case "StartDiscovery":
            guard !hasSession else { return .failure(.bluez("InProgress")) }
            hasSession = true
        case "StopDiscovery":
            guard hasSession else { return .failure(.failed("No discovery started")) }
            hasSession = false
        default: break
        }
        return .success([])
    }
}

extension MachineDriver<CentralMachine> {
    /// Lets adapter 0 answer until it is discovering; returns how long that takes, in seconds.
    ///
    /// It gives up after a minute.
    func secondsUntilDiscovery(_ answers: inout DiscoveryAnswers) -> Double {
        let start = now
        adaptersAnswer = false
        while now.seconds(since: start) < 60 {
            guard let words = open.map(\.words).first(where: { $0.hasSuffix("hci0") }) else {
                if answers.hasSession, isShown(answers.hasSession) { break }
                pass(min(0.05, max(0.001, machine.wakeTime?.seconds(since: now) ?? 0.05)))
                continue
            }
            let call = open.first { $0.words == words }?.call
            guard let call else { break }
            let (result, seconds) = answers.answer(call)
            if seconds > 0 { pass(seconds) }
            answer(words, result.error)
            if answers.hasSession, answers.delaySeconds > 0 { pass(answers.delaySeconds) }
            show(answers.hasSession)
        }
        return now.seconds(since: start)
    }

    private func isShown(_ isDiscovering: Bool) -> Bool {
        daemon.tree.properties(Daemon.adapter(0), BlueZName.adapter)?["Discovering"]
            == .boolean(isDiscovering)
    }

    /// Changes the property `Discovering` of adapter 0.
    func show(_ isDiscovering: Bool) {
        guard !isShown(isDiscovering) else { return }
        feed {
            $0.set(
                Daemon.adapter(0), BlueZName.adapter, ["Discovering": .boolean(isDiscovering)])
        }
    }
}
