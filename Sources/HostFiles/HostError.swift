import Glibc
package import Platform

/// The exit status of a command; numbers follow sysexits.h where it has one.
package enum ExitStatus: Int32 {
    /// The command succeeded.
    case success = 0
    /// The command failed at run time.
    case failure = 1
    /// The arguments are wrong.
    case usage = 64
    /// The running gateway cannot be reached.
    case unreachable = 69
    /// The configuration is wrong.
    case configuration = 78
}

/// The error that ends a command: an exit status and a message for standard error.
package struct HostError: CausedError, CustomStringConvertible {
    package let status: ExitStatus
    package let message: String
    package let failureCause: FailureCause?

    /// Creates an error.
    package init(_ status: ExitStatus, _ message: String, cause: FailureCause? = nil) {
        self.status = status
        self.message = message
        failureCause = cause
    }

    /// Creates a failure with the message and the cause of another error; a `HostError` stays what it is.
    package init(_ error: any Error) {
        self =
            error as? HostError
            ?? HostError(.failure, "\(error)", cause: (error as? any CausedError)?.failureCause)
    }

    /// The message as is; the log escapes control characters itself.
    package var description: String { message }

    /// The message with control characters escaped, except line breaks.
    package var text: String {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { LogFormat.escaped(String($0)) }.joined(separator: "\n")
    }

    /// The error of the content of a file, which begins with the path.
    package static func file(
        _ path: String, _ problem: String, cause: FailureCause? = nil
    ) -> HostError {
        HostError(.failure, "\(LogFormat.escaped(path)): \(problem)", cause: cause)
    }

    /// The error of a failed system call, with the path and a remedy.
    package static func system(
        _ operation: String, _ path: String, errno code: Int32, remedy: String? = nil
    ) -> HostError {
        let name = LogFormat.escaped(path)
        let problem = "cannot \(operation) \(name): \(String(cString: strerror(code)))"
        return HostError(
            .failure, remedy.map { "\(problem); \($0)" } ?? problem,
            cause: FailureCause(errno: code))
    }
}
