package import GatewayHost
package import Platform
import Synchronization

/// Counts the clients of the control socket and limits their number.
package final class ControlClients: Sendable {
    /// The maximum number of connected clients.
    package static let limit = 64

    /// Only the first occurrence is logged.
    private static let hint = "further clients are counted in `pulsegate status`"

    private let state = Mutex(StatusReport.Clients())
    private let log: Logger

    /// Creates the counters.
    package init(log: Logger) {
        self.log = log
    }

    /// The current counters.
    package var counts: StatusReport.Clients { state.withLock { $0 } }

    /// Counts a new client; false if the limit is reached, which is logged the first time.
    package func add() -> Bool {
        let (isAdmitted, refused) = state.withLock { counts in
            let isAdmitted = counts.connected < Self.limit
            counts.connected += isAdmitted ? 1 : 0
            counts.refused += isAdmitted ? 0 : 1
            return (isAdmitted, counts.refused)
        }
        if !isAdmitted, refused == 1 {
            log.warning(
                "client rejected: too many clients",
                ["limit": "\(Self.limit)", "hint": Self.hint])
        }
        return isAdmitted
    }

    /// Counts a client that has left.
    package func remove() {
        state.withLock { $0.connected -= 1 }
    }

    /// Counts a client that was disconnected because it was too slow; logged the first time.
    package func countCutOff() {
        let count = state.withLock { counts in
            counts.cutOff += 1
            return counts.cutOff
        }
        guard count == 1 else { return }
        log.warning(
            "client disconnected: it does not read its output", ["hint": Self.hint])
    }
}
