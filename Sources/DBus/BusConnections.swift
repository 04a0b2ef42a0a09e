import Glibc
import Platform

/// The thread of a ``BusLoop``.
typealias BusThread = EventLoop<BusConnections>

/// The connections on a loop's thread.
final class BusConnections: LoopDriver {
    /// The maximum number of messages of one connection before other connections and jobs run.
    private static let messagesPerTurn = 256

    private var connections: [BusConnection] = []

    var isIdle: Bool { connections.isEmpty }

    func attach(_ connection: BusConnection) {
        connections.append(connection)
    }

    func detach(_ connection: BusConnection) {
        connections.removeAll { $0 === connection }
    }

    func process() -> Bool {
        var isBusy = false
        for connection in connections {
            if connection.process(limit: Self.messagesPerTurn) { isBusy = true }
        }
        return isBusy
    }

    /// What all connections wait for; asked after every turn, because a call sends too.
    func nextWait() -> LoopWait {
        var descriptors: [pollfd] = []
        var deadline = UInt64.max
        for connection in connections {
            guard let wait = connection.nextWait() else { continue }
            descriptors.append(pollfd(fd: wait.descriptor, events: wait.events, revents: 0))
            deadline = min(deadline, wait.deadlineMicroseconds)
        }
        return .descriptors(descriptors, deadline: deadline)
    }
}
