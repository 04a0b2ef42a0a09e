import GatewayCore
package import GatewayHost
import Glibc
import JSON
import Platform

/// What a command says when the gateway does not answer, or answers with an error.
extension ControlClient {
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

    /// The error for an answer that this command cannot parse.
    package var unknownAnswer: HostError {
        HostError(
            .failure,
            "cannot parse the answer of the gateway on \(folder.path); "
                + "check that it runs the same version as this command: `pulsegate --version`")
    }

    func timedOut(_ seconds: Int) -> HostError {
        HostError(
            .unreachable,
            "the gateway on \(folder.path) did not answer within \(seconds) seconds")
    }

    func throwError(
        in line: [UInt8], _ arguments: [String: String]
    ) throws(HostError) {
        guard line.starts(with: #"{"error":"#.utf8) else { return }
        guard let (problem, key) = Self.error(in: line) else { throw unknownAnswer }
        if let key {
            let start = "\(key): "
            let rest = problem.hasPrefix(start) ? problem.dropFirst(start.count) : problem[...]
            if let usage = Self.usage(path: key, String(rest), arguments) { throw usage }
        }
        throw HostError(.failure, problem)
    }

    /// The error message in an answer line; nil if the line is not an error.
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

    static func unreachable(
        _ folder: DataDirectory, _ isSimulation: Bool, _ code: Int32
    ) -> HostError {
        guard !folder.isOfAnotherUser else { return othersGateway(folder, code) }
        let message =
            switch code {
            case ENOENT, ENOTDIR, ECONNREFUSED: noSocket(folder, isSimulation)
            case EAGAIN, ETIMEDOUT:
                "the gateway on \(folder.path) did not answer within \(timeoutSeconds) seconds"
            default:
                "cannot connect to the gateway on \(folder.path): \(SystemCall.message(of: code))"
            }
        return HostError(.unreachable, message)
    }

    /// The error when the gateway of another user cannot be reached.
    private static func othersGateway(_ folder: DataDirectory, _ code: Int32) -> HostError {
        let place = socketFolder(of: folder)
        guard access("\(place)/\(DataFiles.control)", F_OK) == 0, code != ECONNREFUSED else {
            return HostError(
                .unreachable,
                "\(folder.path) belongs to another user, and no gateway that other users can reach "
                    + "is running there: it would listen in \(place); start its service: "
                    + "`sudo systemctl start pulsegate`, or run this command as root: "
                    + "`sudo pulsegate …`")
        }
        return HostError(
            .unreachable,
            "cannot connect to the gateway on \(folder.path): \(SystemCall.message(of: code)); "
                + "run this command as the gateway's user, or join its group")
    }

    /// The message when the gateway ends the connection instead of answering.
    static func closed(_ folder: DataDirectory) -> String {
        guard DataDirectoryLock.owner(of: folder) != nil, !DataDirectoryLock.isStopping(folder)
        else {
            return "the gateway on \(folder.path) stopped before it answered; "
                + "try again when the next gateway runs"
        }
        return "the gateway on \(folder.path) closed the connection; try again"
    }

    private static func noSocket(_ folder: DataDirectory, _ isSimulation: Bool) -> String {
        guard let owner = DataDirectoryLock.owner(of: folder) else {
            let start =
                folder.isOfService && !isSimulation
                ? "start its service: `sudo systemctl start pulsegate`; when it fails, find out why: "
                    + "`sudo pulsegate doctor`"
                : "start one with `pulsegate run\(isSimulation ? " --simulate" : "")`"
            return "no gateway is running on \(folder.path); \(start)"
        }
        guard !DataDirectoryLock.isStopping(folder) else {
            return "the gateway on \(folder.path)\(owner) is stopping; "
                + "try again when it has stopped"
        }
        return
            "the gateway on \(folder.path)\(owner) has no \(DataFiles.control); "
            + "wait until it has started, or restart it if the socket was removed"
    }
}
