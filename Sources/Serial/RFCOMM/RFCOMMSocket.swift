import CBluetooth
import GatewayCore
import Glibc

/// A socket to a serial port over Bluetooth; it is closed when the last reference to it is gone.
///
/// This is the only file that calls the system's Bluetooth sockets. Nothing here waits.
final class RFCOMMSocket: StreamDescriptor {
    /// How long connecting may take, in seconds.
    ///
    /// The controller itself looks for a device for 5.12 s unless told otherwise; then come the
    /// channels of L2CAP and RFCOMM.
    static let connectSeconds = 10.0

    let number: Int32
    let endpoint: RFCOMMEndpoint

    /// Takes over a descriptor.
    init(_ number: Int32, to endpoint: RFCOMMEndpoint) {
        self.number = number
        self.endpoint = endpoint
    }

    deinit {
        close(number)
    }

    var name: String { endpoint.address.description }

    var endOfStream: SerialError { .radio(.lost(address: endpoint.address.description)) }

    /// A connection that ends without an error reads as if nothing had come yet, again and again.
    var isGone: Bool {
        var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        // What is there to be read, an error too, the next read gets.
        return state.revents & Int16(POLLHUP) != 0 && state.revents & Int16(POLLIN | POLLERR) == 0
    }

    var connectLimitSeconds: Double? { Self.connectSeconds }

    func finishConnecting() throws(SerialError) {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            throw failure(of: "getsockopt", code: errno)
        }
        guard code == 0 else { throw failureToConnect(code: code) }
    }

    /// A stream socket would end the process with SIGPIPE where write(2) is used.
    func writeNow(_ buffer: UnsafeRawBufferPointer) -> Int {
        send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
    }

    func failure(of operation: String, code: Int32) -> SerialError {
        .radio(.connected(endpoint, operation: operation, code: code))
    }

    func failureToConnect(code: Int32) -> SerialError {
        .radio(.connecting(endpoint, code: code))
    }

    func duplicate() throws(SerialError) -> RFCOMMSocket {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw failure(of: "dup", code: errno) }
        return RFCOMMSocket(copy, to: endpoint)
    }

    /// Ends the connection at once, whoever still holds a descriptor of it.
    func letGo() {
        shutdown(number, Int32(SHUT_RDWR))
    }
}

extension RFCOMMSocket {
    /// Begins to connect.
    static func connect(to endpoint: RFCOMMEndpoint) throws(SerialError) -> RFCOMMSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(AF_BLUETOOTH, kind, BTPROTO_RFCOMM)
        guard number >= 0 else { throw .radio(.making(endpoint, code: errno)) }
        let socket = RFCOMMSocket(number, to: endpoint)
        var address = sockaddr_rc()
        address.rc_family = sa_family_t(AF_BLUETOOTH)
        address.rc_channel = UInt8(endpoint.channel)
        withUnsafeMutableBytes(of: &address.rc_bdaddr) { place in
            // bdaddr_t begins with the last byte.
            place.copyBytes(from: endpoint.address.bytes.reversed())
        }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                Glibc.connect(number, pointer.baseAddress, socklen_t(bytes.count))
            }
        }
        // An interrupted connect(2) goes on like one that was not waited for.
        guard result == 0 || errno == EINPROGRESS || errno == EINTR else {
            throw socket.failureToConnect(code: errno)
        }
        return socket
    }
}
