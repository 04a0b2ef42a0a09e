import GatewayCore
import Glibc
package import Platform
import Synchronization

/// The request to stop or reload: SIGINT, SIGTERM, a time limit or a closed pipe stop the gateway,
/// SIGHUP reloads its configuration.
///
/// The signals are caught from before `main`, so that early ones are not lost.
package final class StopSignal: Sendable {
    /// The time limit for stopping, in seconds.
    package static let stopSeconds = 4.7

    private let stream: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    /// The requests to reload; several pending requests count as one.
    package let reloads: AsyncStream<Void>
    private let reload: AsyncStream<Void>.Continuation
    private let limitSeconds: Double
    private let end: @Sendable () -> Void
    private let isTimed = Mutex(false)

    /// Creates the signal of a process; `end` exits when stopping exceeds the limit.
    package init(
        limitSeconds: Double = stopSeconds,
        end: @escaping @Sendable () -> Void = { _exit(ExitStatus.success.rawValue) }
    ) {
        self.limitSeconds = limitSeconds
        self.end = end
        (stream, signal) = AsyncStream.makeStream()
        (reloads, reload) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns when a stop is requested.
    package func wait() async {
        for await _ in stream {}
    }

    /// Requests a stop.
    package func stop() {
        signal.finish()
        reload.finish()
    }

    /// Requests a stop, and ends the process when the time limit is exceeded.
    ///
    /// Accepted records are in the journal, so a sink that hangs must not delay the exit.
    package func stopWithinLimit() {
        stop()
        let isFirst = isTimed.withLock { isTimed in
            defer { isTimed = true }
            return !isTimed
        }
        guard isFirst else { return }
        SystemThread.start(name: "stop") { [limitSeconds, end] in
            var rest = timespec()
            rest.tv_sec = Int(limitSeconds)
            rest.tv_nsec = Int((limitSeconds - limitSeconds.rounded(.down)) * 1e9)
            var left = timespec()
            while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
            end()
        }
    }

    /// Stops at the first SIGINT or SIGTERM; the second one ends the process immediately.
    ///
    /// SIGHUP also stops if the terminal was closed, or if reloading is not possible; otherwise it
    /// requests a reload.
    package func listen(reloading: Bool = false) {
        let hadTerminal = Self.hasTerminal
        SystemThread.start(name: "signals") { [self] in
            while ProcessSignals.wait() == SIGHUP, reloading {
                if hadTerminal, !Self.hasTerminal { break }
                reload.yield()
            }
            stopWithinLimit()
            while ProcessSignals.wait() == SIGHUP {}
            _exit(ExitStatus.failure.rawValue)
        }
    }

    /// Whether the process has a controlling terminal; it has none after a hangup.
    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Ends the process with status 0 at the first signal, for a command without state to save.
    ///
    /// - Parameter finish: Called before the exit; must not block.
    package static func exitAtSignal(finish: @escaping @Sendable () -> Void = {}) {
        SystemThread.start(name: "signals") {
            _ = ProcessSignals.wait()
            finish()
            _exit(ExitStatus.success.rawValue)
        }
    }

    /// Stops when the reader of this descriptor closes it, if it is a pipe.
    package func stopWhenReaderCloses(_ descriptor: Int32, log: Logger? = nil) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        SystemThread.start(name: "reader") { [self] in
            // With no events requested, poll still reports POLLERR (poll(2)).
            var poll = pollfd(fd: descriptor, events: 0, revents: 0)
            while Glibc.poll(&poll, 1, -1) < 0, errno == EINTR {}
            log?.info("the reader of standard output has closed it; stopping")
            stopWithinLimit()
        }
    }
}
