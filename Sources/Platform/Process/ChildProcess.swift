import CProcess
package import Glibc
import Synchronization

/// A program that runs as a child, in a process group of its own, with pipes to its standard streams.
///
/// No shell is involved: the arguments are passed as they are. The child gets none of this process's other
/// descriptors, no blocked signal, and every signal with its default action. The kernel kills it when this
/// process ends, for whatever reason.
package final class ChildProcess: Sendable {
    /// How a program is started.
    package struct Options: Sendable {
        /// The program and its arguments; a program without a slash is searched for in `PATH`.
        package var arguments: [String]
        /// The environment, as `NAME=value`.
        package var environment: [String]
        /// The working directory.
        package var directory: String

        /// Makes options.
        package init(arguments: [String], environment: [String], directory: String) {
            self.arguments = arguments
            self.environment = environment
            self.directory = directory
        }
    }

    /// How a process ended.
    package enum End: Hashable, Sendable, CustomStringConvertible {
        /// It exited with this status.
        case exited(Int32)
        /// A signal ended it.
        case signaled(Int32)

        /// How it ended, for a log.
        package var description: String {
            switch self {
            case .exited(let status): "exited with status \(status)"
            case .signaled(let signal): "ended by signal \(signal)"
            }
        }
    }

    /// The process's number.
    package let identifier: pid_t
    /// Its standard input.
    package let input: ChildPipe
    /// Its standard output.
    package let output: ChildPipe
    /// Its standard error.
    package let errors: ChildPipe
    private let watch: DescriptorWatch
    /// The thread that has started the process, with which it ends.
    private let parent: ParentThread
    private let ended = Mutex<End?>(nil)

    /// Starts a program; the poller waits for its end.
    ///
    /// - Throws: ``ChildProcessError`` when the program cannot be started.
    package init(_ options: Options, poller: DescriptorPoller) throws(ChildProcessError) {
        let (childInput, input) = try ChildPipe.make(.writable, poller: poller)
        let (childOutput, output) = try ChildPipe.make(.readable, poller: poller)
        let (childErrors, errors) = try ChildPipe.make(.readable, poller: poller)
        // The thread must not keep the child's ends of the pipes open: only their numbers go to it.
        let streams = (childInput.number, childOutput.number, childErrors.number)
        let (thread, identifier) = try ParentThread.start { () throws(ChildProcessError) in
            try Self.spawn(
                options.arguments, environment: options.environment, directory: options.directory,
                streams: streams, hasOwnGroup: true, endsWithThread: true)
        }
        withExtendedLifetime((childInput, childOutput, childErrors)) {}
        parent = thread
        do throws(ChildProcessError) {
            let descriptor = cprocess_open(identifier)
            guard descriptor >= 0 else { throw ChildProcessError("pidfd_open", code: errno) }
            watch = try poller.watch(PipeEnd(descriptor), .readable)
        } catch {
            Self.killAndReap(identifier)
            throw error
        }
        self.identifier = identifier
        (self.input, self.output, self.errors) = (input, output, errors)
    }

    deinit {
        // An owner that does not wait for the end leaves no process behind.
        if ended.withLock({ $0 }) == nil { Self.killAndReap(identifier) }
    }

    private static func killAndReap(_ identifier: pid_t) {
        kill(-identifier, SIGKILL)
        _ = SystemCall.repeatWhileInterrupted { Int(waitpid(identifier, nil, 0)) }
    }

    /// Waits until the process has ended.
    ///
    /// - Throws: `CancellationError`; the process goes on then.
    package func waitForEnd() async throws -> End {
        while true {
            if let end = reap() { return end }
            try await watch.wait()
        }
    }

    /// Sends a signal to the process and to what it has started.
    package func send(_ signal: Int32) {
        ended.withLock { ended in
            // Once it is reaped the number may be another process's.
            guard ended == nil else { return }
            kill(-identifier, signal)
        }
    }

    /// Asks the process to end, by closing its input, then SIGTERM, then SIGKILL.
    ///
    /// - Parameters:
    ///   - graceSeconds: The time that it has after its input is closed.
    ///   - killSeconds: The time that it has after SIGTERM.
    package func end(
        graceSeconds: Double, killSeconds: Double, on clock: any BootClock
    ) async -> End? {
        input.close()
        for (seconds, signal) in [(graceSeconds, SIGTERM), (killSeconds, SIGKILL)] {
            if let end = await waitForEnd(seconds: seconds, on: clock) { return end }
            send(signal)
        }
        // SIGKILL ends every process that is not stuck in the kernel.
        return await waitForEnd(seconds: killSeconds, on: clock)
    }

    private func waitForEnd(seconds: Double, on clock: any BootClock) async -> End? {
        let deadline = clock.now().adding(nanoseconds: Int64(clampedNanosecondsOf: seconds))
        // The wait is part of stopping: it must not be cut short by the cancellation that began it.
        return await Task.detached { [self] in
            if let end = reap() { return end }
            _ = try? await watch.wait(until: deadline, on: clock)
            return reap()
        }.value
    }

    /// Collects the end of the process, nil while it runs.
    private func reap() -> End? {
        ended.withLock { ended in
            if let ended { return ended }
            var info = siginfo_t()
            let waited = SystemCall.repeatWhileInterrupted {
                Int(waitid(P_PID, id_t(identifier), &info, WEXITED | WNOHANG | WNOWAIT))
            }
            guard waited < 0 || info.si_signo == SIGCHLD else { return nil }
            // What it has started and left behind ends with it. Until it is reaped its number is its own.
            kill(-identifier, SIGKILL)
            var status: Int32 = 0
            let result = SystemCall.repeatWhileInterrupted {
                Int(waitpid(identifier, &status, 0))
            }
            // A child that somebody else has reaped has ended too.
            ended = result < 0 ? .exited(0) : Self.end(ofStatus: status)
            return ended
        }
    }

    /// Decodes a status of waitpid(2), whose macros Swift does not import.
    private static func end(ofStatus status: Int32) -> End {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signaled(signal)
    }
}
