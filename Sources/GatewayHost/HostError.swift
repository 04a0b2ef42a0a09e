import Glibc
import Platform

/// How the command ends, as shells and service managers see it (sysexits.h where it has a number).
package enum ExitStatus: Int32 {
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
package struct HostError: Error, CustomStringConvertible {
    package let status: ExitStatus
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What a log shows, which sees to what could drive a terminal itself.
    package var description: String { message }

    /// The message, without what could drive a terminal; its line breaks stay.
    package var text: String {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { LogFormat.escaped(String($0)) }.joined(separator: "\n")
    }

    /// What a system call said, with a path and what to do.
    package static func system(
        _ operation: String, _ path: String, errno code: Int32, remedy: String? = nil
    ) -> HostError {
        let problem = "cannot \(operation) \(path): \(String(cString: strerror(code)))"
        return HostError(.failure, remedy.map { "\(problem); \($0)" } ?? problem)
    }
}
