package import Platform
import Synchronization

/// The log of an update of a store of an earlier version, which takes a while when it is large.
package final class StoreUpdateLog: Sendable {
    private let path: String
    private let clock: any BootClock
    private let log: Logger
    private let start = Mutex<BootInstant?>(nil)

    /// Makes the log of a store that is about to be opened.
    package init(_ path: String, clock: any BootClock, log: Logger) {
        self.path = path
        self.clock = clock
        self.log = log
    }

    /// Logs that the update of a store of a schema version begins.
    package func begin(_ version: Int) {
        start.withLock { $0 = clock.now() }
        log.info(
            "updating the store of an earlier version", ["path": path, "schema": "\(version)"])
    }

    /// Logs that the store is open, if it was updated.
    package func end() {
        guard let start = start.withLock({ $0 }) else { return }
        let seconds = clock.now().seconds(since: start)
        log.info("store updated", ["path": path, "seconds": "\(Int(seconds.rounded(.up)))"])
    }
}
