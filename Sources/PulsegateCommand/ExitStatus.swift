import GatewayCore
import Glibc

/// How the command ends, as shells and service managers see it (sysexits.h where it has a number).
enum ExitStatus: Int32 {
    /// Done.
    case success = 0
    /// It failed at run time.
    case failure = 1
    /// The command was called in a wrong way.
    case usage = 64
    /// The running gateway cannot be reached.
    case unreachable = 69
    /// The configuration is wrong.
    case configuration = 78
}

/// Why a command ends early: a status, and one line for standard error.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What a log shows, which sees to what could drive a terminal itself.
    var description: String { message }

    /// The message, without what could drive a terminal; its line breaks stay.
    var text: String {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { LogFormat.escaped(String($0)) }.joined(separator: "\n")
    }

    /// What a system call said, with a path and what to do.
    static func system(
        _ operation: String, _ path: String, errno code: Int32, mend: String? = nil
    ) -> CommandFailure {
        let problem = "cannot \(operation) \(path): \(String(cString: strerror(code)))"
        return CommandFailure(.failure, mend.map { "\(problem); \($0)" } ?? problem)
    }
}
