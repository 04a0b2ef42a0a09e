import Glibc
import Platform

/// The connections on a loop's thread.
final class BusConnections: LoopDriver {
    /// The maximum number of messages of one connection before other connections and jobs run.
    private static let messagesPerTurn = 256

    private var connections: [BusConnection] = []
    /// The sockets that are watched beside them.
    private var readers: [PacketReader] = []

    var isIdle: Bool { connections.isEmpty && readers.isEmpty }

    func attach(_ connection: BusConnection) {
        connections.append(connection)
    }

    func detach(_ connection: BusConnection) {
        connections.removeAll { $0 === connection }
    }

    func attach(_ reader: PacketReader) {
        readers.append(reader)
    }

    func detach(_ reader: PacketReader) {
        readers.removeAll { $0 === reader }
    }

    func process() -> Bool {
        var isBusy = false
        for reader in readers where reader.isReadable {
            if reader.process() { isBusy = true }
        }
        readers.removeAll(where: \.isEnded)
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
        for reader in readers {
            descriptors.append(
                pollfd(fd: reader.descriptor.number, events: Int16(POLLIN), revents: 0))
        }
        return .descriptors(descriptors, deadline: deadline)
    }

    func noteReady(_ descriptors: ArraySlice<pollfd>) {
        // The sockets come last, and none is added or removed between the question and the answer.
        for (reader, polled) in zip(readers, descriptors.suffix(readers.count))
        where polled.revents != 0 {
            reader.isReadable = true
        }
    }
}
