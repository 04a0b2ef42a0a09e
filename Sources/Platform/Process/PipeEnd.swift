import Glibc
import Synchronization

/// A descriptor of a pipe or a process, which is closed with the last reference, or before.
final class PipeEnd: WatchedDescriptor {
    let number: Int32
    private let isOpen = Mutex(true)

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close()
    }

    /// Calls while the descriptor is open; once it is closed its number may soon be another file's.
    func whileOpen<Result>(_ body: (Int32) -> Result) throws(ChildProcessError) -> Result {
        try isOpen.withLock { isOpen throws(ChildProcessError) in
            guard isOpen else { throw notOpen }
            return body(number)
        }
    }

    /// Closes the descriptor, once or more often.
    func close() {
        isOpen.withLock { isOpen in
            if isOpen { Glibc.close(number) }
            isOpen = false
        }
    }

    var notOpen: ChildProcessError { ChildProcessError("pipe", code: EBADF) }

    func failure(of operation: String, code: Int32) -> ChildProcessError {
        ChildProcessError(operation, code: code)
    }
}
