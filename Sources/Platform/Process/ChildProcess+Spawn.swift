import CProcess
import Glibc

/// A program could not be started, or its pipes could not be used.
package struct ChildProcessError: Error, Equatable, CustomStringConvertible {
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
}

extension ChildProcess {
    /// Starts a program with these descriptors as its standard streams.
    static func spawn(
        _ options: Options, streams: [Int32]
    ) throws(ChildProcessError) -> pid_t {
        guard let program = options.arguments.first, !program.isEmpty else {
            throw ChildProcessError("posix_spawn", code: ENOENT)
        }
        var identifier: pid_t = 0
        let code = withStrings(options.arguments) { arguments in
            withStrings(options.environment) { environment in
                cprocess_spawn(arguments, environment, options.directory, streams, &identifier)
            }
        }
        guard code == 0 else { throw ChildProcessError("posix_spawn", code: code) }
        return identifier
    }

    /// Calls with an array of C strings that ends with a null pointer.
    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
