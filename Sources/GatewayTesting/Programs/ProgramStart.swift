package import Glibc
import Platform

/// A failure of a program that a test uses.
public struct ProgramFailure: Error, CustomStringConvertible {
    /// A description of the failure.
    public let description: String

    package init(_ description: String) { self.description = description }

    package init(_ operation: String, code: Int32) {
        description = "\(operation): \(String(cString: strerror(code)))"
    }
}

/// Starting programs that inherit only the given descriptors.
package enum ProgramStart {
    /// Starts a program, which is searched in `PATH`.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - environment: The complete environment.
    ///   - input: Its standard input.
    ///   - output: Its standard output.
    ///   - error: Its standard error; nil inherits that of this process.
    package static func start(
        _ words: [String], environment: [String: String] = [:], input: Int32, output: Int32,
        error: Int32? = nil
    ) throws(ProgramFailure) -> pid_t {
        do {
            return try ChildProcess.spawn(
                words, environment: environment.map { "\($0)=\($1)" },
                streams: (input, output, error ?? -1))
        } catch {
            throw ProgramFailure("starting \(words[0])", code: error.code)
        }
    }

    /// Makes a pipe with close-on-exec ends.
    package static func makePipe() throws(ProgramFailure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ProgramFailure("pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Makes a socket pair with close-on-exec ends; unlike with a pipe, `MSG_NOSIGNAL` avoids
    /// SIGPIPE.
    static func makeSocketPair() throws(ProgramFailure) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw ProgramFailure("socketpair", code: errno)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits for the end of a program; returns its status.
    @discardableResult
    package static func waitForEnd(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
