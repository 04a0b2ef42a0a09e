import Glibc
import Platform

/// The user of this machine who holds the other end of a connection over the loopback interface.
///
/// The kernel answers with the state of that socket (sock_diag(7), NETLINK_SOCK_DIAG).
enum PeerUser {
    private static let diagnosisProtocol: Int32 = 4
    private static let byFamily: UInt16 = 20
    /// NLM_F_REQUEST, whose header Swift does not import.
    private static let isRequest: UInt16 = 1
    private static let headerSize = 16
    /// The offsets of the user and the inode in `struct inet_diag_msg`.
    private static let userOffset = 64
    private static let inodeOffset = 68
    private static let answerSize = 72
    private static let waitMicroseconds = 100_000

    /// Returns the user.
    ///
    /// Nil when the kernel does not say, and when no process holds the socket any more: the kernel reports
    /// root for a socket that was closed.
    static func id(peer: SocketAddress, own: SocketAddress) -> UInt32? {
        guard peer.family == own.family else { return nil }
        let descriptor = socket(
            AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), diagnosisProtocol)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var wait = timeval(tv_sec: 0, tv_usec: waitMicroseconds)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let question = question(peer, own)
        guard send(descriptor, question, question.count, 0) == question.count else { return nil }
        return user(in: SystemCall.read(descriptor, limit: 4_096).bytes)
    }

    /// `struct nlmsghdr`, `struct inet_diag_req_v2` with the end of the peer as the source.
    private static func question(_ peer: SocketAddress, _ own: SocketAddress) -> [UInt8] {
        var body: [UInt8] = [UInt8(peer.family), UInt8(IPPROTO_TCP), 0, 0]
        append(UInt32.max, to: &body)
        append(peer.port.bigEndian, to: &body)
        append(own.port.bigEndian, to: &body)
        for address in [peer, own] {
            body += address.bytes + [UInt8](repeating: 0, count: 16 - address.bytes.count)
        }
        append(UInt32(0), to: &body)
        // No cookie: any socket with these ends.
        append(UInt64.max, to: &body)
        var message: [UInt8] = []
        append(UInt32(headerSize + body.count), to: &message)
        append(byFamily, to: &message)
        append(isRequest, to: &message)
        append(UInt32(1), to: &message)
        append(UInt32(0), to: &message)
        return message + body
    }

    private static func user(in answer: [UInt8]) -> UInt32? {
        guard answer.count >= headerSize + answerSize, value(of: answer, at: 4) == byFamily,
            value(of: answer, at: headerSize + inodeOffset) != UInt32(0)
        else { return nil }
        return value(of: answer, at: headerSize + userOffset)
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }

    private static func value<Value: FixedWidthInteger>(
        of bytes: [UInt8], at offset: Int
    ) -> Value {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }
}
