import Glibc
import Platform

/// Receives the packets of a socket on the thread of a ``BusLoop``, as the handlers of a
/// ``MessageBus`` are called there.
///
/// Like a ``MessageBus`` it is made and used only by an actor on that loop. It ends with the last
/// reference, or by itself when the other side closes the socket.
public final class PacketWatch {
    /// The socket.
    public var descriptor: BusDescriptor { reader.descriptor }

    private let reader: PacketReader
    private let loop: BusLoop

    /// Starts to receive.
    ///
    /// - Parameters:
    ///   - descriptor: A socket with packet boundaries, such as one of `SOCK_SEQPACKET`.
    ///   - received: Called with every packet, in order.
    ///   - ended: Called once when the other side has closed the socket or it has failed.
    public init(
        _ descriptor: BusDescriptor, on loop: BusLoop, received: @escaping ([UInt8]) -> Void,
        ended: @escaping () -> Void
    ) {
        loop.checkIsolated()
        self.loop = loop
        reader = PacketReader(descriptor, received: received, ended: ended)
        let reader = reader
        loop.thread.post { $0.attach(reader) }
    }

    /// Receives the packets that wait now, at most ``drainLimit``.
    ///
    /// What happens on the bus may have happened after they were sent.
    public func drain() {
        loop.checkIsolated()
        _ = reader.process(limit: Self.drainLimit)
    }

    /// The maximum number of packets of ``drain()``; a socket holds a few hundred.
    static let drainLimit = 4_096

    deinit {
        let reader = reader
        loop.thread.post { connections in
            reader.cancel()
            connections.detach(reader)
        }
    }
}

/// The socket of a ``PacketWatch``.
///
/// `@unchecked Sendable`: only references to it cross threads. All its state is touched on its
/// loop's thread alone: ``PacketWatch`` posts to that thread, where ``BusConnections`` works.
final class PacketReader: @unchecked Sendable {
    /// The maximum number of packets before other sockets, messages and jobs have their turn.
    static let packetsPerTurn = 64
    /// The longest packet in bytes, twice the longest attribute value; the rest of a longer one is
    /// lost.
    private static let packetLength = 1_024

    /// `POLLRDHUP` (poll(2)), a GNU extension that Swift does not import.
    private static let readHangUp: Int16 = 0x2000

    let descriptor: BusDescriptor
    private let received: ([UInt8]) -> Void
    private let ended: () -> Void
    private(set) var isEnded = false
    /// Whether packets may be waiting.
    var isReadable = false

    init(
        _ descriptor: BusDescriptor, received: @escaping ([UInt8]) -> Void,
        ended: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.received = received
        self.ended = ended
    }

    /// Stops to receive; packets that were not read yet are lost.
    func cancel() { isEnded = true }

    /// Reads the packets that wait; returns whether there may be more.
    func process(limit: Int = packetsPerTurn) -> Bool {
        for _ in 0..<limit where !isEnded {
            switch read() {
            case .packet(let bytes): received(bytes)
            case .nothing:
                isReadable = false
                return false
            case .end:
                isEnded = true
                ended()
            }
        }
        return !isEnded
    }

    private enum Read {
        case packet([UInt8])
        case nothing
        case end
    }

    private func read() -> Read {
        withUnsafeTemporaryAllocation(byteCount: Self.packetLength, alignment: 1) { buffer in
            let flags = Int32(MSG_DONTWAIT)
            let count = recv(descriptor.number, buffer.baseAddress, buffer.count, flags)
            if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
            // An empty packet and the end look the same.
            if count == 0, isHungUp, !hasMore { return .end }
            return .packet(Array(buffer.prefix(count)))
        }
    }

    private var isHungUp: Bool {
        // Also when the other side has only ended sending.
        let end = Self.readHangUp
        var polled = pollfd(fd: descriptor.number, events: end, revents: 0)
        return poll(&polled, 1, 0) > 0 && polled.revents & (end | Int16(POLLHUP | POLLERR)) != 0
    }

    private var hasMore: Bool {
        var count: Int32 = 0
        return ioctl(descriptor.number, UInt(FIONREAD), &count) == 0 && count > 0
    }
}
