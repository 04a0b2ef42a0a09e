package import Platform
import Synchronization

/// The supervision of adapters: what their calls take, and which do not return.
///
/// An adapter cannot be stopped. One that does not return keeps its thread; the source of the device
/// is cut off until it does, and another thread takes the place of the lost one.
public final class AdapterWatch: Sendable {
    private let core: Core
    private let watchdog: CallWatchdog

    /// Makes the supervision of the sources that run on a pool.
    package init(_ marks: CallMarks, pool: TaskPool?, log: Logger) {
        core = Core(pool: pool, log: log)
        watchdog = CallWatchdog(marks) { [core] event in core.handle(event) }
    }

    /// Returns why a source is cut off; nil if it is not.
    package func failure(of source: String, at now: BootInstant) -> String? {
        core.failure(of: source, at: now)
    }
}

/// The state of the supervision, which the thread of the watchdog changes.
private final class Core: Sendable {
    /// The maximum number of threads that take the place of lost ones.
    private static let maximumSpareThreads = 64

    private struct Stall {
        let source: String
        let device: String
        let since: BootInstant
    }

    private struct State {
        var stalls: [Stall] = []
        var spareThreads = 0
    }

    private let log: Logger
    private let pool: TaskPool?
    private let state = Mutex(State())

    init(pool: TaskPool?, log: Logger) {
        self.pool = pool
        self.log = log
    }

    func handle(_ event: CallWatch.Event) {
        switch event {
        case .stalled(let source, let device, let since): stalled(source, device, since)
        case .returned(let source, let device, let seconds): returned(source, device, seconds)
        case .busy(let source, let device, let share):
            log.named(source).warning(
                "the adapter takes a large share of a processor",
                ["device": device, "percent": "\(Int((share * 100).rounded()))"])
        }
    }

    private func stalled(_ source: String, _ device: String, _ since: BootInstant) {
        let needsThread = state.withLock { state in
            state.stalls.append(Stall(source: source, device: device, since: since))
            guard state.spareThreads < Self.maximumSpareThreads else { return false }
            state.spareThreads += 1
            return true
        }
        if needsThread { pool?.addThread() }
        log.named(source).error(
            "the adapter does not return; the source is cut off until it does",
            ["device": device])
    }

    private func returned(_ source: String, _ device: String, _ seconds: Double) {
        let hasSpareThread = state.withLock { state in
            let index = state.stalls.firstIndex { $0.source == source && $0.device == device }
            if let index { state.stalls.remove(at: index) }
            guard state.spareThreads > state.stalls.count else { return false }
            state.spareThreads -= 1
            return true
        }
        if hasSpareThread { pool?.removeThread() }
        log.named(source).info(
            "the adapter has returned",
            ["device": device, "seconds": "\((seconds * 10).rounded() / 10)"])
    }

    func failure(of source: String, at now: BootInstant) -> String? {
        let stall = state.withLock { state in state.stalls.first { $0.source == source } }
        return stall.map { stall in
            let seconds = Int(now.seconds(since: stall.since))
            return "the adapter of \(stall.device) has not returned for \(seconds) s; restart the "
                + "gateway, and remove the device if that continues"
        }
    }
}
