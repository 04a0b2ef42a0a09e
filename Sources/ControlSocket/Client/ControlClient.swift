package import GatewayCore
package import GatewayHost
import Glibc
import JSON
package import Platform

/// A connection to the control socket of a running gateway, for a command that does nothing else: it
/// blocks while it waits.
package struct ControlClient: ~Copyable {
    /// What comes next.
    package enum Arrival {
        /// Whole lines, each with its end.
        case lines(ArraySlice<UInt8>)
        /// The gateway has ended the connection.
        case end
        /// Nobody reads any more what this command prints.
        case readerLeft
        /// Nothing came for too long.
        case nothing
    }

    /// What comes next for a command that reads keys meanwhile.
    package enum KeyedArrival {
        /// Whole lines, each with its end.
        case lines(ArraySlice<UInt8>)
        /// There is something to read from the keys, or their terminal is gone.
        case input
        /// The gateway has ended the connection.
        case end
        /// Nobody reads any more what this command prints.
        case readerLeft
        /// Nothing came until then.
        case nothing
    }

    /// An answer comes within so many seconds, or the gateway stands still.
    package static let timeoutSeconds = 5
    /// A longer line is none of a gateway's.
    static let maximumLineLength = 4 << 20
    private static let readLimit = 1 << 16
    /// The options of commands by key of their requests; errors name the option.
    package static let options = [
        "type": "--type", "person": "--person", "activity": "--activity",
    ]

    let socket: LocalSocket
    private let folder: DataDirectory
    private let clock: any GatewayClock
    private var rest: [UInt8] = []

    /// Connects to the gateway that uses a data directory.
    package init(_ folder: DataDirectory, isSimulation: Bool, clock: any GatewayClock)
        throws(HostError)
    {
        self.folder = folder
        self.clock = clock
        do throws(LocalSocket.Failure) {
            socket = try Self.connect(folder)
        } catch {
            throw Self.unreachable(folder, isSimulation, error.code)
        }
    }

    /// Whether a gateway uses a data directory.
    package static func canReach(_ folder: DataDirectory) -> Bool {
        (try? connect(folder)) != nil
    }

    /// Sends a request and returns the line that answers it, without its end.
    ///
    /// - Parameter arguments: The options by key of the request, for errors; an operand has an empty one.
    package mutating func ask(
        _ request: ControlRequest, timeout: Int = timeoutSeconds,
        arguments: [String: String] = options
    ) throws(HostError) -> [UInt8] {
        try send(request.line + [UInt8(ascii: "\n")])
        let deadline = clock.now().adding(seconds: Double(timeout))
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                try throwError(in: line, arguments)
                return line
            }
            switch try read(until: deadline, output: nil) {
            case .bytes: continue
            case .end: throw HostError(.unreachable, "the gateway on \(folder.path) has ended")
            case .nothing, .readerLeft, .input: throw silent(timeout)
            }
        }
    }

    /// Sends a request whose answer comes among the next lines.
    package mutating func post(_ request: ControlRequest) throws(HostError) {
        try send(request.line + [UInt8(ascii: "\n")])
    }

    /// Waits for lines, and for the reader of this output to leave when it is a pipe.
    package mutating func nextLines(whileReading output: Int32) throws(HostError) -> Arrival {
        while true {
            if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Array(rest[(end + 1)...]) }
                return .lines(rest[...end])
            }
            switch try read(until: nil, output: output) {
            case .bytes: continue
            case .end: return .end
            case .nothing, .input: return .nothing
            case .readerLeft: return .readerLeft
            }
        }
    }

    /// Waits for lines or for something to read from another descriptor, whichever comes first, until a
    /// time; and for the reader of this output to leave when it is a pipe.
    package mutating func nextLines(
        orInput input: Int32, until deadline: BootInstant?, whileReading output: Int32 = -1
    ) throws(HostError) -> KeyedArrival {
        while true {
            if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Array(rest[(end + 1)...]) }
                return .lines(rest[...end])
            }
            switch try read(until: deadline, output: output, input: input) {
            case .bytes: continue
            case .input: return .input
            case .end: return .end
            case .nothing: return .nothing
            case .readerLeft: return .readerLeft
            }
        }
    }

    private static func connect(_ folder: DataDirectory) throws(LocalSocket.Failure) -> LocalSocket
    {
        try LocalSocket.connect(
            to: SocketPath(folder: folder.path, name: DataFiles.control),
            seconds: timeoutSeconds)
    }

    private func send(_ bytes: [UInt8]) throws(HostError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: throw silent(Self.timeoutSeconds)
            // Somebody who sends us away may have said why before.
            case .failed: return
            }
        }
    }

    private enum Reading {
        case bytes, input, end, readerLeft, nothing
    }

    private mutating func read(
        until deadline: BootInstant?, output: Int32?, input: Int32 = -1
    ) throws(HostError) -> Reading {
        // Nothing is asked of the output: an error condition is reported all the same (poll(2)).
        var polls = [
            pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output ?? -1, events: 0, revents: 0),
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = deadline.map { deadline in
            Int32(clamping: max(deadline.nanoseconds(since: clock.now()) / 1_000_000 + 1, 0))
        }
        let count = SystemCall.repeatWhileInterrupted {
            Int(poll(&polls, nfds_t(polls.count), milliseconds ?? -1))
        }
        if polls[1].revents != 0 { return .readerLeft }
        guard count > 0 else { return .nothing }
        if polls[2].revents != 0 { return .input }
        switch socket.read(limit: Self.readLimit) {
        case .bytes(let bytes):
            rest += bytes
            guard rest.count <= Self.maximumLineLength + Self.readLimit else { throw unknownAnswer }
            return .bytes
        case .end, .failed: return .end
        case .wouldBlock: return .bytes
        }
    }
}

extension ControlClient {
    /// The answer of a gateway that is stopping: ask the next one.
    package static let stopping = Array(#"{"stopping":true}"#.utf8)

    /// The error of a request as that of a command: an invalid argument is wrong usage.
    ///
    /// - Parameter arguments: The options by key of the request; an operand has an empty one.
    package static func failure(
        of error: any Error, arguments: [String: String] = options
    ) -> HostError {
        if let error = error as? HostError { return error }
        if let error = error as? ConfigurationError,
            let usage = usage(path: error.path, error.problem, arguments)
        {
            return usage
        }
        return HostError(.failure, "\(error)")
    }

    /// Wrong usage, when the argument of a command has the key path of an error.
    private static func usage(
        path: String, _ problem: String, _ arguments: [String: String]
    ) -> HostError? {
        let key = path.prefix { $0 != "." && $0 != "[" }
        guard let option = arguments[String(key)] else { return nil }
        let rest = path.dropFirst(key.count).drop { $0 == "." }
        let parts = [option, String(rest), problem].filter { !$0.isEmpty }
        return HostError(.usage, parts.joined(separator: ": "))
    }

    /// The gateway answered with something that this command does not know.
    package var unknownAnswer: HostError {
        HostError(
            .failure,
            "the gateway on \(folder.path) gave an answer that cannot be read; "
                + "is it of another version? `pulsegate --version` tells this one's")
    }

    private func silent(_ seconds: Int) -> HostError {
        HostError(
            .unreachable,
            "the gateway on \(folder.path) has not answered for \(seconds) seconds")
    }

    private func throwError(
        in line: [UInt8], _ arguments: [String: String]
    ) throws(HostError) {
        guard line.starts(with: #"{"error":"#.utf8) else { return }
        guard let (problem, key) = Self.error(in: line) else { throw unknownAnswer }
        if let key {
            let start = "\(key): "
            let rest = problem.hasPrefix(start) ? problem.dropFirst(start.count) : problem[...]
            if let usage = Self.usage(path: key, String(rest), arguments) { throw usage }
        }
        throw HostError(.failure, "the gateway on \(folder.path) says: \(problem)")
    }

    /// What a line says that went wrong; nil when it says nothing of the kind.
    package static func problem(in line: some Collection<UInt8>) -> String? {
        error(in: line)?.problem
    }

    private static func error(
        in line: some Collection<UInt8>
    ) -> (problem: String, key: String?)? {
        guard
            case .object(let fields) = try? JSONValue(
                json5: String(decoding: line, as: UTF8.self)),
            case .string(let problem) = fields["error"]
        else { return nil }
        guard case .string(let key)? = fields["key"] else { return (problem, nil) }
        return (problem, key)
    }

    private static func unreachable(
        _ folder: DataDirectory, _ isSimulation: Bool, _ code: Int32
    ) -> HostError {
        let message =
            switch code {
            case ENOENT, ENOTDIR, ECONNREFUSED: noSocket(folder, isSimulation)
            case EAGAIN, ETIMEDOUT:
                "the gateway on \(folder.path) has not answered for \(timeoutSeconds) seconds"
            case EACCES, EPERM:
                "the gateway on \(folder.path) is somebody else's: "
                    + "\(SystemCall.message(of: code)); be the user who runs it"
            default:
                "cannot reach the gateway on \(folder.path): \(SystemCall.message(of: code))"
            }
        return HostError(.unreachable, message)
    }

    private static func noSocket(_ folder: DataDirectory, _ isSimulation: Bool) -> String {
        guard let owner = DataDirectoryLock.owner(of: folder) else {
            return "no gateway is running on \(folder.path); "
                + "start one with `pulsegate run\(isSimulation ? " --simulate" : "")`"
        }
        return
            "the gateway on \(folder.path)\(owner) has no \(DataFiles.control) there: it starts just "
            + "now, or somebody has removed that; then start it again"
    }
}
