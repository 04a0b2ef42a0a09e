import Glibc
import Platform

/// The thread of a ``BusLoop``.
typealias BusThread = EventLoop<BusConnections>

/// The connections on a loop's thread.
final class BusConnections: LoopDriver {
    /// How many messages of one connection are looked at before the next one's turn and the jobs'.
    private static let messagesATurn = 256

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
            if connection.process(limit: Self.messagesATurn) { isBusy = true }
        }
        return isBusy
    }

    /// What sd-bus says of each connection now, also where nothing was processed: a call sends too.
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
