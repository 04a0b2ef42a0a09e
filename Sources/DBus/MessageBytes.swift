import CSystemd
import Glibc

/// The bytes of a received message, which sd-bus does not provide.
///
/// sd-bus forwards a received message unchanged to any other connection, as systemd-stdio-bridge
/// does. Here the other end of that connection is a socket of this process.
final class MessageBytes {
    /// The most bytes of a message (D-Bus Specification 0.43, "Message Format").
    static let limit = 128 << 20
    private static let chunkSize = 1 << 16
    /// The authentication of a client, all of it at once.
    private static let greeting = Array("\0AUTH ANONYMOUS 70\r\nBEGIN\r\n".utf8)

    private var bus: OpaquePointer?
    private let socket: Int32
    private var chunk = [UInt8](repeating: 0, count: chunkSize)

    /// Copies the bytes of a message, header included.
    ///
    /// - Throws: ``BusError/failed(operation:code:)``, as when no descriptor is free.
    static func copy(of message: OpaquePointer) throws(BusError) -> [UInt8] {
        let bytes = try MessageBytes()
        try bytes.authenticate()
        return try bytes.forward(message)
    }

    private init() throws(BusError) {
        var ends: [Int32] = [-1, -1]
        let type = [SOCK_STREAM, SOCK_NONBLOCK, SOCK_CLOEXEC].reduce(0) { $0 | Int32($1.rawValue) }
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Self.fault(errno) }
        socket = ends[0]
        var code = sd_bus_new(&bus)
        // It owns the descriptor from here on.
        if code >= 0 { code = sd_bus_set_fd(bus, ends[1], ends[1]) } else { close(ends[1]) }
        if code >= 0 { code = sd_bus_set_server(bus, 1, sd_id128_t()) }
        if code >= 0 { code = sd_bus_set_anonymous(bus, 1) }
        if code >= 0 { code = sd_bus_start(bus) }
        guard code >= 0 else { throw Self.fault(-code) }
    }

    deinit {
        sd_bus_close_unref(bus)
        close(socket)
    }

    private func authenticate() throws(BusError) {
        guard write(socket, Self.greeting, Self.greeting.count) == Self.greeting.count else {
            throw Self.fault(EIO)
        }
        while sd_bus_is_ready(bus) == 0 { try process() }
        // The answer to the authentication is one line.
        let answer = try read()
        guard sd_bus_is_ready(bus) > 0, answer.starts(with: "OK ".utf8),
            answer.last == UInt8(ascii: "\n")
        else { throw Self.fault(EPROTO) }
    }

    private func forward(_ message: OpaquePointer) throws(BusError) -> [UInt8] {
        try check(sd_bus_send(bus, message, nil))
        var bytes: [UInt8] = []
        while true {
            var waiting: UInt64 = 0
            try check(sd_bus_get_n_queued_write(bus, &waiting))
            let piece = try read()
            bytes += piece
            guard bytes.count <= Self.limit else { throw Self.fault(EMSGSIZE) }
            if piece.isEmpty, waiting == 0 { return bytes }
            if waiting > 0 { try process() }
        }
    }

    private func process() throws(BusError) {
        try check(sd_bus_process(bus, nil))
    }

    /// The bytes that have arrived; empty when none have.
    private func read() throws(BusError) -> ArraySlice<UInt8> {
        let count = Glibc.read(socket, &chunk, chunk.count)
        guard count != 0 else { throw Self.fault(ECONNRESET) }
        guard count > 0 || errno == EAGAIN || errno == EINTR else { throw Self.fault(errno) }
        return chunk[..<max(count, 0)]
    }

    private func check(_ code: Int32) throws(BusError) {
        guard code >= 0 else { throw Self.fault(-code) }
    }

    private static func fault(_ code: Int32) -> BusError {
        .failed(operation: "copying a D-Bus message", code: code)
    }
}
