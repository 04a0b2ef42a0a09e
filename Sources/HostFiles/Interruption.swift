import Platform
import Synchronization

/// The request to interrupt a command that writes something: Ctrl-C, SIGTERM or a closed terminal.
///
/// The command checks it between two steps, and removes what is not complete. A second signal ends the process
/// at once.
package final class Interruption: Sendable {
    private let number = Atomic<Int32>(0)
    private let isWriting = Atomic<Bool>(false)

    /// Makes a request that was not made yet.
    package init() {}

    /// Catches the signals from now on; until ``begin()`` they end the process.
    package func listen() {
        SystemThread.start(name: "signals") { [self] in
            let first = ProcessSignals.wait()
            guard isWriting.load(ordering: .relaxed) else { ProcessSignals.end(by: first) }
            number.store(first, ordering: .sequentiallyConsistent)
            // Meanwhile there may be nothing left that has to be removed, and nobody who checks.
            guard isWriting.load(ordering: .sequentiallyConsistent) else {
                ProcessSignals.end(by: first)
            }
            ProcessSignals.end(by: ProcessSignals.wait())
        }
    }

    /// Begins to write: from now on a signal is noted.
    package func begin() { isWriting.store(true, ordering: .relaxed) }

    /// Ends it: there is nothing to remove, and a signal ends the process at once, also while it waits for a
    /// reader.
    package func end() { isWriting.store(false, ordering: .sequentiallyConsistent) }

    /// The signal that asked for it; nil before.
    package var signal: Int32? {
        let number = number.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Throws when the command is to be interrupted.
    package func check() throws(HostError) {
        guard signal != nil else { return }
        throw HostError(.failure, "interrupted; nothing was written")
    }
}
