import GatewayHost
import Synchronization

/// A client that follows people.
final class FollowWatcher: Sendable {
    let channel: any ResponseChannel
    /// The person to follow; nil for all.
    let person: String?
    private let current = Mutex<LiveAudience?>(nil)

    init(_ channel: any ResponseChannel, person: String?) {
        self.channel = channel
        self.person = person
    }

    /// The audience that it belonged to when it was sent the full state; nil before.
    var audience: LiveAudience? { current.withLock { $0 } }

    /// Notes that it is sent the full state as one of an audience.
    func join(_ audience: LiveAudience) { current.withLock { $0 = audience } }

    /// Whether it follows this person.
    func follows(_ name: String?) -> Bool { person == nil || person == name }
}

/// The clients that follow people.
final class FollowWatchers: Sendable {
    private let watchers = Mutex<[FollowWatcher]>([])

    var isEmpty: Bool { watchers.withLock(\.isEmpty) }

    var all: [FollowWatcher] { watchers.withLock { $0 } }

    func add(_ watcher: FollowWatcher) { watchers.withLock { $0.append(watcher) } }

    func remove(_ watcher: FollowWatcher) {
        watchers.withLock { $0.removeAll { $0 === watcher } }
    }
}

/// The stream of lines after the full state.
struct FollowStream: ResponseStream {
    let watchers: FollowWatchers
    let watcher: FollowWatcher

    func cancel() { watchers.remove(watcher) }
}
