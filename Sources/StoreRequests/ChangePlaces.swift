import GatewayCore
import HealthStore
import Synchronization

/// How far the changes of the store were looked at for clients that may not read all of them.
///
/// Such a client gets the anchor of the last change that it has seen, and what follows may be many changes
/// that it may not see. Without a place here, as after a restart, they are looked at once more.
final class ChangePlaces: Sendable {
    /// The maximum number of places; the oldest one goes first.
    private static let limit = 256

    private struct Key: Hashable {
        let anchor: StoreAnchor
        /// What the client may read: after a new decision everything is looked at again.
        let readable: AccessDecisions
    }

    private struct Places {
        var byKey: [Key: StoreAnchor] = [:]
        var order: [Key] = []
    }

    private let places = Mutex(Places())

    /// Where to continue for a client that has an anchor; the anchor itself when no place is known.
    func place(after anchor: StoreAnchor?, for readable: AccessDecisions) -> StoreAnchor? {
        guard let anchor else { return nil }
        let key = Key(anchor: anchor, readable: readable)
        return places.withLock { $0.byKey[key] } ?? anchor
    }

    /// Notes where to continue after an anchor.
    func note(_ place: StoreAnchor, after anchor: StoreAnchor, for readable: AccessDecisions) {
        guard place != anchor else { return }
        let key = Key(anchor: anchor, readable: readable)
        places.withLock { places in
            if places.byKey.updateValue(place, forKey: key) == nil { places.order.append(key) }
            guard places.order.count > Self.limit else { return }
            places.byKey[places.order.removeFirst()] = nil
        }
    }
}
