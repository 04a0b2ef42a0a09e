import GatewayTesting
import Glibc
import Platform
import Synchronization

/// A relay to a private bus that changes the messages for its clients, so that they receive what
/// dbus-daemon would not deliver.
///
/// Other message buses do not validate the bodies of messages.
package final class BusRelay: Sendable {
    /// Changes the bytes of a message in place; its length must stay the same.
    package typealias Change = @Sendable (_ message: inout [UInt8]) -> Void

    /// The address to connect to.
    package let address: String
    private let folder: TemporaryFolder
    private let stop: (read: Int32, write: Int32)
    private let thread: JoinableThread

    /// Starts a relay to the bus at an address.
    package init(to target: String, change: @escaping Change) throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.path("relay"))"
        let listener = try ListeningSocket.unix(path: folder.path("relay"))
        stop = try ProgramStart.makePipe()
        let relay = Loop(
            listener: listener, target: String(target.dropFirst("unix:path=".utf8.count)),
            stop: stop.read, change: change)
        thread = try JoinableThread(name: "bus-relay") { relay.run() }
    }

    deinit {
        close(stop.write)
        thread.join()
        close(stop.read)
    }

    /// The connections of the relay, on its own thread.
    private struct Loop {
        let listener: ListeningSocket
        let target: String
        let stop: Int32
        let change: Change

        func run() {
            var links: [BusRelayLink] = []
            defer {
                for link in links { link.close() }
                close(listener.descriptor)
            }
            while true {
                var watched = [stop, listener.descriptor] + links.flatMap { [$0.client, $0.bus] }
                var set = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                guard poll(&set, nfds_t(set.count), -1) > 0, set[0].revents == 0 else { return }
                watched = set.filter { $0.revents != 0 }.map(\.fd)
                for index in links.indices.reversed() {
                    guard !links[index].pass(from: watched, change) else { continue }
                    links.remove(at: index).close()
                }
                if watched.contains(listener.descriptor), let client = listener.accept() {
                    if let link = BusRelayLink(client, to: target) { links.append(link) }
                }
            }
        }
    }
}

/// A client of a ``BusRelay`` and its connection to the bus.
private struct BusRelayLink {
    let client: Int32
    let bus: Int32
    private var received: [UInt8] = []
    private var isAuthenticated = false

    init?(_ client: Int32, to path: String) {
        self.client = client
        bus = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bus = bus
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(bus, $0, length) }
        }
        guard result == 0 else {
            close()
            return nil
        }
    }

    func close() {
        Glibc.close(client)
        Glibc.close(bus)
    }

    /// Passes on what has arrived; false at the end of the connection.
    mutating func pass(from ready: [Int32], _ change: BusRelay.Change) -> Bool {
        if ready.contains(client) {
            guard let bytes = Self.read(client), Self.write(bytes, to: bus) else { return false }
        }
        if ready.contains(bus) {
            guard let bytes = Self.read(bus) else { return false }
            received += bytes
            while let next = nextPart(change) {
                guard Self.write(next, to: client) else { return false }
            }
        }
        return true
    }

    /// The next line of the authentication or the next message, changed; nil when it is incomplete.
    private mutating func nextPart(_ change: BusRelay.Change) -> [UInt8]? {
        guard let first = received.first else { return nil }
        // The answers of the authentication start with a capital letter, messages with their order
        // of bytes.
        isAuthenticated = isAuthenticated || first == UInt8(ascii: "l")
        guard isAuthenticated else {
            let line = received.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            return line.map { take($0) }
        }
        guard received.count >= 16 else { return nil }
        let (body, fields) = received.withUnsafeBytes {
            (
                Int($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
                Int($0.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            )
        }
        let length = (16 + fields + 7) & ~7 + body
        guard received.count >= length else { return nil }
        var message = take(length)
        change(&message)
        return message
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
