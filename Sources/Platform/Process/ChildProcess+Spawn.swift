import CProcess
package import Glibc

/// A program could not be started, or its pipes could not be used.
package struct ChildProcessError: CausedError, Equatable, CustomStringConvertible {
    /// The system call that failed.
    package let operation: String
    /// Its `errno`.
    package let code: Int32

    init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The call and the system's message.
    package var description: String { "\(operation): \(SystemCall.message(of: code))" }

    package var failureCause: FailureCause? { FailureCause(errno: code) }
}

extension ChildProcess {
    /// Starts a program with these descriptors as its standard streams, and no others.
    ///
    /// The caller waits for its end. In the place of a stream that is -1 it gets this process's.
    ///
    /// - Parameters:
    ///   - arguments: The program, searched in `PATH`, and its arguments.
    ///   - environment: The environment as `NAME=value`; nil for that of this process, without the
    ///     variables of ``ServiceEnvironment``.
    ///   - directory: The working directory; nil for that of this process.
    ///   - hasOwnGroup: Whether it leads a process group of its own.
    ///   - endsWithThread: Whether the kernel kills it when the calling thread ends.
    package static func spawn(
        _ arguments: [String], environment: [String]? = nil, directory: String? = nil,
        streams: (input: Int32, output: Int32, errors: Int32), hasOwnGroup: Bool = false,
        endsWithThread: Bool = false
    ) throws(ChildProcessError) -> pid_t {
        guard let program = arguments.first, !program.isEmpty else {
            throw ChildProcessError("start", code: ENOENT)
        }
        let environment = environment ?? Environment.variablesForPrograms
        let numbers = [streams.input, streams.output, streams.errors]
        var identifier: pid_t = 0
        let code = withStrings(arguments) { arguments in
            withStrings(environment ?? []) { variables in
                cprocess_spawn(
                    arguments, environment == nil ? nil : variables, directory, numbers,
                    hasOwnGroup ? 1 : 0, endsWithThread ? 1 : 0, &identifier)
            }
        }
        guard code == 0 else { throw ChildProcessError("start", code: code) }
        return identifier
    }

    /// Calls with an array of C strings that ends with a null pointer.
    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
