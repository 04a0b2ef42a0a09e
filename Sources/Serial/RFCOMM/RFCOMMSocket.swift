import CBluetooth
import GatewayCore
import Glibc

/// An RFCOMM socket; releasing the last reference closes it.
///
/// This is the only file that uses Bluetooth sockets. No call blocks.
final class RFCOMMSocket: StreamDescriptor {
    /// The connect timeout in seconds.
    ///
    /// By default the controller pages a device for 5.12 s; then the L2CAP and RFCOMM channels are
    /// opened.
    static let defaultConnectTimeoutSeconds = 10.0

    let number: Int32
    let endpoint: RFCOMMEndpoint

    /// Takes ownership of a descriptor.
    init(_ number: Int32, to endpoint: RFCOMMEndpoint) {
        self.number = number
        self.endpoint = endpoint
    }

    deinit {
        close(number)
    }

    var name: String { endpoint.address.description }

    var endOfStream: SerialError { .rfcomm(.lost(address: endpoint.address.description)) }

    /// Checks for a hang-up: reads of a connection closed without an error return EAGAIN.
    var isDisconnected: Bool {
        var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        // Pending bytes or errors are returned by the next read.
        return state.revents & Int16(POLLHUP) != 0 && state.revents & Int16(POLLIN | POLLERR) == 0
    }

    var connectTimeoutSeconds: Double? { Self.defaultConnectTimeoutSeconds }

    func finishConnecting() throws(SerialError) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            throw failure(of: "getsockopt", code: errno)
        }
        guard code == 0 else { throw failureToConnect(code: code) }
    }

    /// Uses send(2) with MSG_NOSIGNAL: write(2) would raise SIGPIPE.
    func writeAvailable(_ buffer: UnsafeRawBufferPointer) -> Int {
        send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
    }

    func failure(of operation: String, code: Int32) -> SerialError {
        .rfcomm(.connectionFailure(endpoint, operation: operation, code: code))
    }

    func failureToConnect(code: Int32) -> SerialError {
        .rfcomm(.connectFailure(endpoint, code: code))
    }

    func duplicate() throws(SerialError) -> RFCOMMSocket {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw failure(of: "dup", code: errno) }
        return RFCOMMSocket(copy, to: endpoint)
    }

    /// Closes the connection even if other descriptors of it are open.
    func prepareToClose() {
        shutdown(number, Int32(SHUT_RDWR))
    }
}

extension RFCOMMSocket {
    /// Starts connecting.
    static func connect(to endpoint: RFCOMMEndpoint) throws(SerialError) -> RFCOMMSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(AF_BLUETOOTH, kind, BTPROTO_RFCOMM)
        guard number >= 0 else { throw .rfcomm(.socketFailure(endpoint, code: errno)) }
        let socket = RFCOMMSocket(number, to: endpoint)
        var address = sockaddr_rc()
        address.rc_family = sa_family_t(AF_BLUETOOTH)
        address.rc_channel = UInt8(endpoint.channel)
        withUnsafeMutableBytes(of: &address.rc_bdaddr) { place in
            // bdaddr_t is in reverse byte order.
            place.copyBytes(from: endpoint.address.bytes.reversed())
        }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                Glibc.connect(number, pointer.baseAddress, socklen_t(bytes.count))
            }
        }
        // An interrupted connect(2) continues asynchronously.
        guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
            throw socket.failureToConnect(code: errno)
        }
        return socket
    }
}
