import Glibc
package import Platform
import Synchronization

/// A line at a terminal on standard error that says what is being done and for how long, where the share is not
/// known.
///
/// It appears after a second. A thread of its own shows it, because what it is about may block the others.
package final class BusyLine: Sendable {
    private static let firstSeconds = 1.0
    private static let pauseNanoseconds = 250_000_000

    private let screen: TerminalScreen
    private let isEnded = Mutex(false)

    /// Starts the line; nil where nothing is shown.
    package init?(_ title: String, _ environment: Environment, clock: any BootClock) {
        guard let screen = TerminalScreen.forProgress(environment) else { return nil }
        self.screen = screen
        let start = clock.now()
        SystemThread.start(name: "progress") { [weak self] in
            var pause = timespec(tv_sec: 0, tv_nsec: Self.pauseNanoseconds)
            while nanosleep(&pause, nil) == 0, let self {
                let seconds = clock.now().seconds(since: start)
                guard seconds >= Self.firstSeconds else { continue }
                guard self.show("\(title), \(Int(seconds)) s") else { return }
            }
        }
    }

    private func show(_ line: String) -> Bool {
        isEnded.withLock { isEnded in
            if !isEnded { screen.show([line]) }
            return !isEnded
        }
    }

    /// Removes the line.
    package func end() {
        isEnded.withLock { isEnded in
            if !isEnded { screen.show([]) }
            isEnded = true
        }
    }
}
