package import GatewayCore
package import GatewayHost
import Glibc
import JSON
package import Platform

/// A blocking client of the control socket of a running gateway, for commands.
package struct ControlClient: ~Copyable {
    /// The result of waiting for lines.
    package enum LineResult {
        /// Whole lines, each with its end.
        case lines(ArraySlice<UInt8>)
        /// The gateway has ended the connection.
        case end
        /// The reader of this command's output has closed it.
        case outputClosed
        /// The wait failed.
        case nothing
    }

    /// The result of waiting for lines or keyboard input.
    package enum LineOrInputResult {
        /// Whole lines, each with its end.
        case lines(ArraySlice<UInt8>)
        /// The input is readable or closed.
        case input
        /// The gateway has ended the connection.
        case end
        /// The reader of this command's output has closed it.
        case outputClosed
        /// The deadline has passed.
        case nothing
    }

    /// The name of this transport in the identity of a client.
    package static let transport = PlainName(known: "control")
    /// The runtime directory of the service.
    private static let serviceFolder = "/run/pulsegate"
    /// The timeout for an answer, in seconds.
    package static let timeoutSeconds = 5
    /// The maximum length of an answer line, in bytes.
    static let maximumLineLength = 4 << 20
    /// The answer of a gateway that is stopping: try again with the next one.
    package static let stopping = Array(#"{"stopping":true}"#.utf8)
    /// The answer of a gateway whose store has all records.
    package static let stored = Array(#"{"accepted":0,"stored":true}"#.utf8)
    private static let readLimit = 1 << 16
    /// The options of commands by key of their requests; errors name the option.
    package static let options = [
        "type": "--type", "person": "--person", "activity": "--activity",
    ]

    let socket: LocalSocket
    let folder: DataDirectory
    private let clock: any GatewayClock
    private var rest: [UInt8] = []
    /// Whether the next line is the answer to `hello`.
    private var awaitsHello = false

    /// Connects to the gateway of a data directory.
    package init(_ folder: DataDirectory, isSimulation: Bool, clock: any GatewayClock)
        throws(HostError)
    {
        do throws(LocalSocket.Failure) {
            self.init(try Self.connect(folder), folder, clock: clock)
        } catch {
            throw Self.unreachable(folder, isSimulation, error.code)
        }
    }

    /// Makes the client of a connection.
    init(_ socket: LocalSocket, _ folder: DataDirectory, clock: any GatewayClock) {
        self.socket = socket
        self.folder = folder
        self.clock = clock
        guard geteuid() != 0, socket.peerUser != geteuid() else { return }
        // The gateway of another user wants the name of the program; its answer is not needed.
        let hello = ControlRequest(RequestHandler.hello.name) { $0.field("name", "pulsegate") }
        awaitsHello = true
        _ = socket.write((hello.line + [UInt8(ascii: "\n")])[...])
    }

    /// Whether the gateway of a data directory accepts connections.
    package static func canReach(_ folder: DataDirectory) -> Bool {
        (try? connect(folder)) != nil
    }

    /// Sends a request and returns the answer line, without its line break.
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
            case .end:
                throw HostError(.unreachable, Self.closed(folder))
            case .nothing, .outputClosed, .input: throw timedOut(timeout)
            }
        }
    }

    /// Sends a request whose answer is one of the following lines.
    package mutating func post(_ request: ControlRequest) throws(HostError) {
        try send(request.line + [UInt8(ascii: "\n")])
    }

    /// Waits for lines, or until the reader of this output closes it, if it is a pipe.
    package mutating func nextLines(whileReading output: Int32) throws(HostError) -> LineResult {
        while true {
            if let end = rest.lastIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Array(rest[(end + 1)...]) }
                return .lines(rest[...end])
            }
            switch try read(until: nil, output: output) {
            case .bytes: continue
            case .end: return .end
            case .nothing, .input: return .nothing
            case .outputClosed: return .outputClosed
            }
        }
    }

    /// Waits for lines or for input from another descriptor, until a deadline, or until the reader
    /// of this output closes it, if it is a pipe.
    package mutating func nextLines(
        orInput input: Int32, until deadline: BootInstant?, whileReading output: Int32 = -1
    ) throws(HostError) -> LineOrInputResult {
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
            case .outputClosed: return .outputClosed
            }
        }
    }

    static func connect(_ folder: DataDirectory) throws(LocalSocket.Failure) -> LocalSocket {
        do throws(LocalSocket.Failure) {
            return try connect(in: folder.path)
        } catch {
            // Another user cannot enter the data directory of a service.
            guard [EACCES, EPERM].contains(error.code) else { throw error }
            let place = socketFolder(of: folder)
            let refused = error
            do throws(LocalSocket.Failure) {
                return try connect(in: place)
            } catch {
                throw error.code == ENOENT ? refused : error
            }
        }
    }

    /// The folder of the socket that other users can reach.
    package static func socketFolder(of folder: DataDirectory) -> String {
        folder.runtimeFolder ?? serviceFolder
    }

    private static func connect(in folder: String) throws(LocalSocket.Failure) -> LocalSocket {
        try LocalSocket.connect(
            to: SocketPath(folder: folder, name: DataFiles.control), seconds: timeoutSeconds)
    }

    private func send(_ bytes: [UInt8]) throws(HostError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: throw timedOut(Self.timeoutSeconds)
            // A gateway that rejects the connection may have sent the reason before.
            case .failed: return
            }
        }
    }

    private enum Reading {
        case bytes, input, end, outputClosed, nothing
    }

    private mutating func read(
        until deadline: BootInstant?, output: Int32?, input: Int32 = -1
    ) throws(HostError) -> Reading {
        // With no events requested for the output, poll still reports POLLERR (poll(2)).
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
        if polls[1].revents != 0 { return .outputClosed }
        guard count > 0 else { return .nothing }
        if polls[2].revents != 0 { return .input }
        switch socket.read(limit: Self.readLimit) {
        case .bytes(let bytes):
            rest += bytes
            if awaitsHello, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                rest.removeSubrange(...end)
                awaitsHello = false
            }
            guard rest.count <= Self.maximumLineLength + Self.readLimit else { throw unknownAnswer }
            return .bytes
        case .end, .failed: return .end
        case .wouldBlock: return .bytes
        }
    }
}
