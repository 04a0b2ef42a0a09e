import Glibc

/// What every call to the system needs.
package enum SystemCall {
    /// Calls again while a signal interrupts (EINTR); `errno` is that of the last call.
    package static func repeatWhileInterrupted(_ call: () -> Int) -> Int {
        var result = call()
        while result < 0 && errno == EINTR { result = call() }
        return result
    }

    /// The system's words for an error number.
    package static func message(of code: Int32) -> String {
        // glibc's own strerror is safe on every thread since 2.32 (strerror(3)).
        String(cString: strerror(code))
    }
}
