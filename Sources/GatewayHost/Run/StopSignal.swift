import GatewayCore
import Glibc
package import Platform
import Synchronization

/// The wish that the gateway stops: SIGINT or SIGTERM, the end of a time, a reader that went away; and
/// the wish that it reads its configuration again: SIGHUP.
///
/// The signals are caught from before `main` on, so that one which came earlier counts too.
package final class StopSignal: Sendable {
    /// How long stopping may take, in seconds.
    package static let stopSeconds = 4.7

    private let stream: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    /// The wishes that the configuration is read again; several that come at once count as one.
    package let reloads: AsyncStream<Void>
    private let reload: AsyncStream<Void>.Continuation
    private let limitSeconds: Double
    private let end: @Sendable () -> Void
    private let isTimed = Mutex(false)

    /// Makes it for a process, which `end` ends when stopping takes longer than it may.
    package init(
        limitSeconds: Double = stopSeconds,
        end: @escaping @Sendable () -> Void = { _exit(ExitStatus.success.rawValue) }
    ) {
        self.limitSeconds = limitSeconds
        self.end = end
        (stream, signal) = AsyncStream.makeStream()
        (reloads, reload) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns as soon as somebody wants the gateway to stop.
    package func wait() async {
        for await _ in stream {}
    }

    /// Wants the gateway to stop.
    package func stop() {
        signal.finish()
        reload.finish()
    }

    /// Wants the gateway to stop; the end of the time that this may take ends the process on the spot.
    ///
    /// What was accepted is in the journal, and whatever holds up the rest must not hold up the end.
    package func stopInTime() {
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

    /// Stops at the first SIGINT or SIGTERM; the second ends the process on the spot.
    ///
    /// SIGHUP stops too when it tells that the
    /// terminal is gone; else it is a wish to reload, where that can be done.
    package func listen(reloading: Bool = false) {
        let hadTerminal = Self.hasTerminal
        SystemThread.start(name: "signals") { [self] in
            while ProcessSignals.wait() == SIGHUP, reloading {
                if hadTerminal, !Self.hasTerminal { break }
                reload.yield()
            }
            stopInTime()
            while ProcessSignals.wait() == SIGHUP {}
            _exit(ExitStatus.failure.rawValue)
        }
    }

    /// Whether the process has a terminal that could send it signals; after a hang-up it has none.
    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Lets the first signal end the process on the spot, with status 0, for a command that has nothing
    /// to bring to an end but what `finish` does, which must not wait for anybody.
    package static func listenToEndProcess(finish: @escaping @Sendable () -> Void = {}) {
        SystemThread.start(name: "signals") {
            _ = ProcessSignals.wait()
            finish()
            _exit(ExitStatus.success.rawValue)
        }
    }

    /// Stops when nobody reads from this descriptor any more, if it is a pipe.
    package func stopWhenReaderLeaves(_ descriptor: Int32, log: Logger) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        SystemThread.start(name: "reader") { [self] in
            // Nothing is asked for: an error condition is reported all the same (poll(2)).
            var poll = pollfd(fd: descriptor, events: 0, revents: 0)
            while Glibc.poll(&poll, 1, -1) < 0, errno == EINTR {}
            log.info("the reader of standard output has gone away: stopping")
            stopInTime()
        }
    }
}
