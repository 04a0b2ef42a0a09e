package import GatewayHost
package import Platform
import Synchronization

/// Counts the clients of the control socket and limits their number.
package final class ControlClients: Sendable {
    /// The maximum number of connected clients.
    package static let limit = 64

    private let state = Mutex(StatusReport.Clients())
    private let log: Logger

    /// Creates the counters.
    package init(log: Logger) {
        self.log = log
    }

    /// The current counters.
    package var counts: StatusReport.Clients { state.withLock { $0 } }

    /// Counts a new client; false if the limit is reached, which is logged the first time.
    package func enter() -> Bool {
        let (isIn, refused) = state.withLock { counts in
            let isIn = counts.connected < Self.limit
            counts.connected += isIn ? 1 : 0
            counts.refused += isIn ? 0 : 1
            return (isIn, counts.refused)
        }
        if !isIn, refused == 1 {
            log.warning(
                "client rejected: too many clients; see `pulsegate status` for further ones",
                ["limit": "\(Self.limit)"])
        }
        return isIn
    }

    /// Counts a client that has left.
    package func leave() {
        state.withLock { $0.connected -= 1 }
    }

    /// Counts a client that was disconnected because it was too slow; logged the first time.
    package func noteCutOff() {
        let count = state.withLock { counts in
            counts.cutOff += 1
            return counts.cutOff
        }
        guard count == 1 else { return }
        log.warning(
            "client disconnected: it does not read its output; "
                + "see `pulsegate status` for further ones")
    }
}
