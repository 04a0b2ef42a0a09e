import CThreads
import Synchronization

/// A thread that reports calls that do not return.
///
/// It looks at the marks once a second, and sleeps without a wake-up while no call is made.
package final class CallWatchdog: Sendable {
    private let core: Core

    /// Starts the thread, which ends with this object.
    package init(_ marks: CallMarks, report: @escaping @Sendable (CallWatch.Event) -> Void) {
        core = Core(marks: marks, report: report)
        SystemThread.start(name: "watchdog") { [core] in core.run() }
    }

    deinit {
        core.end()
    }

    /// The state of the thread, which must not retain the object whose release ends it.
    private final class Core: Sendable {
        private static let periodMicroseconds: Int64 = 1_000_000

        private let marks: CallMarks
        private let report: @Sendable (CallWatch.Event) -> Void
        private let isEnding = Atomic(false)

        init(marks: CallMarks, report: @escaping @Sendable (CallWatch.Event) -> Void) {
            self.marks = marks
            self.report = report
        }

        func end() {
            isEnding.store(true, ordering: .sequentiallyConsistent)
            marks.endWait()
        }

        func run() {
            var watch = CallWatch()
            while true {
                marks.waitForCall()
                if isEnding.load(ordering: .sequentiallyConsistent) { return }
                followCalls(&watch)
            }
        }

        /// Looks at the marks until no call was made between two looks.
        private func followCalls(_ watch: inout CallWatch) {
            while !isEnding.load(ordering: .sequentiallyConsistent) {
                _ = cthreads_poll(nil, 0, Self.periodMicroseconds)
                look(&watch)
                if watch.isActive { continue }
                marks.rearm()
                // A call that began meanwhile saw the watch as armed.
                look(&watch)
                guard watch.isActive, marks.claimWatch() else { return }
            }
        }

        private func look(_ watch: inout CallWatch) {
            let events = watch.look(
                at: marks.snapshots, now: SystemTime.boot())
            for event in events { report(event) }
        }
    }
}
