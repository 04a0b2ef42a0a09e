import CEpoll
import CThreads
import Glibc
import Synchronization

/// A thread that asks the loops of a process for progress, and reports it or its absence.
///
/// It has a thread of its own, because the pools may hang too.
package final class ProgressWatchdog: Sendable {
    /// What it reports.
    package enum Event: Equatable, Sendable {
        /// All loops have answered.
        case progress
        /// These loops have not answered for this number of seconds.
        case hung([ProbedLoop], seconds: Int)
        /// They have answered after all.
        case recovered
    }

    private let core: Core

    /// Starts the thread, which ends with this object.
    ///
    /// - Parameter report: Called on the thread; it may block.
    package init(
        _ probes: ProgressProbes, intervalMicroseconds: UInt64,
        report: @escaping @Sendable (Event) -> Void
    ) {
        core = Core(probes, interval: intervalMicroseconds, report)
        probes.observe { [weak core] in core?.wake() }
        SystemThread.start(name: "progress") { [core] in core.run() }
    }

    deinit {
        core.end()
    }

    /// The state of the thread, which must not retain the object whose release ends it.
    private final class Core: Sendable {
        /// The wait between two looks where the system has no descriptor left, in microseconds.
        private static let lookMicroseconds: UInt64 = 1_000_000

        private let probes: ProgressProbes
        private let interval: UInt64
        private let report: @Sendable (Event) -> Void
        private let isEnding = Atomic(false)
        /// Negative when the system had none left.
        private let wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

        init(
            _ probes: ProgressProbes, interval: UInt64,
            _ report: @escaping @Sendable (Event) -> Void
        ) {
            self.probes = probes
            self.interval = interval
            self.report = report
        }

        deinit {
            if wakeUp >= 0 { close(wakeUp) }
        }

        func wake() { eventfd_write(wakeUp, 1) }

        func end() {
            isEnding.store(true, ordering: .releasing)
            wake()
        }

        func run() {
            var watch = ProgressWatch(intervalMicroseconds: interval)
            while !isEnding.load(ordering: .acquiring) {
                let pending = probes.pending
                switch watch.step(
                    now: SystemTime.monotonicMicroseconds(), isAnswered: pending.isEmpty)
                {
                // Some loops answer at once.
                case .ask: probes.ask()
                case .ping(let isRecovery):
                    if isRecovery { report(.recovered) }
                    report(.progress)
                case .report(let seconds): report(.hung(pending, seconds: seconds))
                case .wait: wait(until: watch.wakeTime)
                }
            }
        }

        private func wait(until time: UInt64?) {
            let now = SystemTime.monotonicMicroseconds()
            var rest = time.map { $0 > now ? Int64(clamping: $0 - now) : 0 } ?? -1
            if wakeUp < 0 {
                let most = Int64(Self.lookMicroseconds)
                rest = rest < 0 ? most : min(rest, most)
            }
            var polled = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
            if cthreads_poll(&polled, 1, rest) > 0 {
                var count: eventfd_t = 0
                eventfd_read(wakeUp, &count)
            }
        }
    }
}
