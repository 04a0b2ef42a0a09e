import DBus
import GatewayCore
import Platform

/// Notices a bluetoothd that does not respond to anything, so that its calls without an answer are
/// not taken for faults of the devices.
///
/// A call may take as long as its device wants. While calls wait and nothing has been received of
/// bluetoothd for ``silenceSeconds``, or when a call has timed out, it is asked for a sign of life.
struct DaemonWatchdog<Request: Sendable>: Sendable {
    /// The time without a message while calls wait, after which bluetoothd is asked.
    ///
    /// With the time for the answer it is shorter than the timeout of a request to a device
    /// (``LinkPolicy/operationSeconds``).
    static var silenceSeconds: Double { 1.5 }
    /// The time in which it must answer.
    static var answerSeconds: Double { 3 }

    /// The time at which to ask; nil when no call waits or bluetoothd is being asked.
    var wakeTime: BootInstant? {
        isAsking ? nil : lastSign?.adding(seconds: Self.silenceSeconds)
    }
    /// Whether bluetoothd is being asked.
    private(set) var isAsking = false
    /// The last message while calls wait, or the first call.
    private var lastSign: BootInstant?
    /// The calls without an answer in time, until bluetoothd has given a sign of life.
    private var held: [Request] = []

    /// Forgets everything: there is another bluetoothd, or none.
    ///
    /// An answer to the question that is under way is ignored by its caller.
    mutating func reset() { self = DaemonWatchdog() }

    /// Notes that a call was sent.
    mutating func noteCall(at now: BootInstant) { lastSign = lastSign ?? now }

    /// Notes a message of bluetoothd; `isWaiting` when calls still wait.
    mutating func noteSign(isWaiting: Bool, at now: BootInstant) {
        lastSign = isWaiting ? now : nil
    }

    /// Whether to ask now.
    func isDue(at now: BootInstant) -> Bool { wakeTime.map { $0 <= now } ?? false }

    /// Adds a call without an answer in time.
    mutating func hold(_ request: Request) { held.append(request) }

    /// Begins to ask; false when bluetoothd is being asked already.
    mutating func ask() -> Bool {
        guard !isAsking else { return false }
        isAsking = true
        return true
    }

    /// Ends to ask, and returns the calls without an answer in time.
    mutating func finish() -> [Request] {
        defer { held = [] }
        isAsking = false
        return held
    }
}

extension BlueZClient {
    /// Notes a message of bluetoothd.
    func noteSign() {
        watchdog.noteSign(isWaiting: callQueue.unansweredCount > 0, at: clock.now())
    }

    /// Asks bluetoothd for a sign of life, and then reports the calls that have timed out, or that
    /// bluetoothd does not respond.
    func checkDaemon() {
        guard let owner, let bus, watchdog.ask() else { return }
        let ping = BusCall(owner, BlueZName.root, BlueZName.peer, "Ping")
        let seconds = DaemonWatchdog<Machine.Request>.answerSeconds
        bus.call(ping, timeoutSeconds: seconds) { [weak self] result in
            self?.assumeIsolated { client in
                guard owner == client.owner, client.isLoaded else { return }
                let held = client.watchdog.finish()
                if case .failure(.timedOut) = result { return client.daemonIsStuck() }
                client.noteSign()
                for request in held { client.handle(.finished(request, .failure(.timedOut))) }
                client.perform([], isEnd: false)
            }
        }
    }
}
