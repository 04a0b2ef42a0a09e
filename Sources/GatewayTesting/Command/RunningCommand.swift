import GatewayCore
public import Glibc
import Platform

/// A running command: its output, the signals sent to it, its end.
///
/// It waits by poll(2) for output and for the end, on a queue of its own. The end shows on a pipe that
/// only the process holds open.
public actor RunningCommand {
    /// How the process ended.
    public enum Ending: Equatable, Sendable {
        /// It exited with this status.
        case exited(Int32)
        /// A signal killed it.
        case killed(bySignal: Int32)
    }

    /// Where its standard output goes.
    public enum OutputKind: Sendable {
        /// A pipe, which is read.
        case pipe
        /// A terminal of 200 columns.
        case terminal
        /// Somebody else reads it at the other end.
        case descriptor(Descriptor)
    }

    /// A stream of output.
    public enum Stream: Int, Sendable {
        /// Standard output.
        case output = 0
        /// Standard error.
        case error = 1
    }

    /// A timeout that is long enough for a machine on which others build.
    public static let timeoutSeconds = 90.0

    /// How often something is looked at that cannot be waited for.
    private static let lookSeconds = 0.01

    /// The process id.
    public nonisolated let processID: pid_t
    private nonisolated let executor = QueueExecutor(label: "running command")
    let clock = SystemClock()
    /// Is not removed while the process may still write there.
    private let folder: TemporaryFolder
    private var streams: [Descriptor?]
    private var lifeline: Descriptor?
    private var received: [[UInt8]] = [[], []]
    private var ending: Ending?

    /// Its own queue, which a wait blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Starts the program, which may use the folder; the first word is its path.
    public init(
        _ words: [String], in folder: TemporaryFolder, environment: [String: String],
        output: OutputKind, blockedSignals: [Int32] = []
    ) throws {
        self.folder = folder
        let outputEnds: (read: Descriptor?, write: Descriptor) =
            switch output {
            case .pipe: try Descriptor.makePipe()
            case .terminal: try Descriptor.makeTerminal()
            case .descriptor(let descriptor): (nil, descriptor)
            }
        let errorEnds = try Descriptor.makePipe()
        let lifelineEnds = try Descriptor.makePipe()
        processID = try Spawn(
            words: words, environment: environment, output: outputEnds.write,
            error: errorEnds.write, lifeline: lifelineEnds.write,
            blockedSignals: blockedSignals
        ).start()
        streams = [outputEnds.read, errorEnds.read]
        lifeline = lifelineEnds.read
    }

    deinit {
        guard ending == nil else { return }
        kill(processID, SIGKILL)
        waitpid(processID, nil, 0)
    }

    /// Whether it is known to have ended.
    public var hasEnded: Bool { ending != nil }

    /// All that it has printed there so far.
    public func text(of stream: Stream) -> String {
        String(decoding: received[stream.rawValue], as: UTF8.self)
    }

    /// Sends a signal, unless the process has ended.
    public func send(_ signal: Int32) {
        if ending == nil { kill(processID, signal) }
    }

    /// Stops reading its standard output, as a reader does that has seen enough.
    public func closeOutput() {
        streams[Stream.output.rawValue] = nil
    }

    /// Waits until it has ended and all its output is read.
    ///
    /// - Throws: ``Failure`` when it goes on for too long.
    @discardableResult
    public func waitForEnd(within seconds: Double = timeoutSeconds) throws -> Ending {
        follow(seconds: seconds) { false }
        guard let ending else { throw failure("it still runs") }
        return ending
    }

    /// Lets it run for a while, and reads what it prints; it may end before.
    public func letRun(seconds: Double) {
        follow(seconds: seconds) { false }
    }

    /// Waits until so many lines with this text are there.
    ///
    /// - Throws: ``Failure`` when they do not come.
    public func waitForLines(
        _ count: Int = 1, with text: String, on stream: Stream,
        within seconds: Double = timeoutSeconds
    ) throws {
        let isThere = follow(seconds: seconds) { lines(of: stream, with: text).count >= count }
        guard isThere else { throw failure("\(count) lines with “\(text)” did not come") }
    }

    /// Waits until it has come to something that nobody tells, such as what a server has got by then.
    ///
    /// - Returns: False when the command ends before, or when it takes longer than this.
    public func waits(
        within seconds: Double, until isMet: @Sendable (isolated RunningCommand) -> Bool
    ) -> Bool {
        let end = clock.now().adding(nanoseconds: Int64(seconds * 1e9))
        while !isMet(self) {
            guard ending == nil, clock.now() < end else { return isMet(self) }
            follow(seconds: Self.lookSeconds) { false }
        }
        return true
    }

    /// The whole lines so far that have this text in them.
    public func lines(of stream: Stream, with text: String) -> [Substring] {
        let whole = received[stream.rawValue]
        let end = whole.lastIndex(of: UInt8(ascii: "\n")) ?? whole.startIndex
        return String(decoding: whole[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
            .filter { $0.contains(text) }
    }

    /// Reads until it is enough, until the command has ended, or until the time is over.
    @discardableResult
    private func follow(seconds: Double, until isEnough: () -> Bool) -> Bool {
        let end = clock.now().adding(nanoseconds: Int64(seconds * 1e9))
        while true {
            if isEnough() { return true }
            if ending != nil { return false }
            let left = end.nanoseconds(since: clock.now())
            if left <= 0 { return false }
            waitForEvent(milliseconds: Int32(clamping: left / 1_000_000 + 1))
        }
    }

    private func waitForEvent(milliseconds: Int32) {
        var polls = (streams + [lifeline]).map { descriptor in
            pollfd(fd: descriptor?.number ?? -1, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&polls, nfds_t(polls.count), milliseconds) > 0 else { return }
        for index in streams.indices where polls[index].revents != 0 {
            if let bytes = streams[index]?.read() {
                received[index] += bytes
            } else {
                streams[index] = nil
            }
        }
        if polls[streams.count].revents != 0 { lifeline = nil }
        if lifeline == nil, streams.allSatisfy({ $0 == nil }) { reap() }
    }

    private func reap() {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        ending = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(bySignal: signal)
    }

    /// What did not happen in time.
    public struct Failure: Error, CustomStringConvertible {
        /// The problem, with the end of standard error.
        public let description: String

        /// Makes a failure.
        public init(description: String) { self.description = description }
    }

    private func failure(_ problem: String) -> Failure {
        Failure(description: "\(problem); standard error: \(text(of: .error).suffix(2_000))")
    }
}
