import GatewayCore
package import GatewayHost
package import Platform
import Synchronization

/// Counts the clients of the control socket and limits their number.
///
/// When the limit is reached, the client that has been idle for longest gives way to a new one.
package final class ControlClients: Sendable {
    /// The maximum number of connected clients.
    package static let limit = 64
    /// The maximum number of connected clients of other users, so that the owner always finds a place.
    static let othersLimit = 48
    /// A client that has been idle for a shorter time, in seconds, does not give way to another.
    static let minimumIdleSeconds = 10.0

    /// Only the first occurrence is logged.
    private static let hint = "further clients are counted in `pulsegate status`"

    /// The place of a client, until it leaves or gives way.
    struct Place: Hashable {
        fileprivate let number: UInt64
    }

    private struct State {
        var counts = StatusReport.Clients()
        var channels: [Place: ControlChannel] = [:]
        var last: UInt64 = 0
        /// The number of clients that read too slowly.
        var slow = 0

        /// Whether there is no place for a client of the owner or of another user.
        func isFull(forOwner isOwner: Bool) -> Bool {
            if counts.connected >= ControlClients.limit { return true }
            guard !isOwner else { return false }
            let others = channels.values.filter { !$0.client.isOwner }
            return others.count >= ControlClients.othersLimit
        }
    }

    private let state = Mutex(State())
    private let log: Logger

    /// Creates the counters.
    package init(log: Logger) {
        self.log = log
    }

    /// The current counters.
    package var counts: StatusReport.Clients { state.withLock { $0.counts } }

    /// Gives a place to a new client; nil if the limit is reached and no client gives way.
    func add(_ channel: ControlChannel, at now: BootInstant) -> Place? {
        let isOwner = channel.client.isOwner
        let idle = state.withLock { state in
            guard state.isFull(forOwner: isOwner) else { return nil as ControlChannel? }
            return Self.removeIdle(&state, forOwner: isOwner, at: now)
        }
        idle?.giveWay()
        let (place, refused) = state.withLock { state -> (Place?, Int) in
            guard !state.isFull(forOwner: isOwner) else {
                state.counts.refused += 1
                return (nil, state.counts.refused)
            }
            state.counts.connected += 1
            state.last += 1
            let place = Place(number: state.last)
            state.channels[place] = channel
            return (place, 0)
        }
        if refused == 1 {
            log.warning(
                "client rejected: too many clients",
                ["limit": "\(Self.limit)", "hint": Self.hint])
        }
        return place
    }

    /// Frees the place of a client that has left.
    func remove(_ place: Place) {
        state.withLock { state in
            guard state.channels.removeValue(forKey: place) != nil else { return }
            state.counts.connected -= 1
        }
    }

    /// Frees the place of the client that has been idle for longest, and counts it.
    ///
    /// A client of another user takes no place of the owner's.
    private static func removeIdle(
        _ state: inout State, forOwner isOwner: Bool, at now: BootInstant
    ) -> ControlChannel? {
        let candidates = state.channels.filter { isOwner || !$0.value.client.isOwner }
        let idle = candidates.compactMap { place, channel in
            channel.idleSeconds(at: now).map { (place, channel, seconds: $0) }
        }
        guard let longest = idle.max(by: { ($0.seconds, $1.0.number) < ($1.seconds, $0.0.number) }),
            longest.seconds >= minimumIdleSeconds
        else { return nil }
        state.channels[longest.0] = nil
        state.counts.connected -= 1
        state.counts.cutOff += 1
        return longest.1
    }

    /// Counts a client that was disconnected because it was too slow; logged the first time.
    package func countCutOff() {
        let isFirst = state.withLock { state in
            state.counts.cutOff += 1
            state.slow += 1
            return state.slow == 1
        }
        guard isFirst else { return }
        log.warning(
            "client disconnected: it does not read its output", ["hint": Self.hint])
    }
}
