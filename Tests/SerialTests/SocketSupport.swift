import GatewayCore
import Glibc
import XCTest

@testable import Serial

/// A socket pair: one end is the RFCOMM socket, the other the device.
final class SocketPair: Sendable {
    let endpoint: RFCOMMEndpoint
    let rfcomm: RFCOMMSocket
    private let device: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw XCTSkip("no socketpair: \(errno)")
        }
        endpoint = try XCTUnwrap(RFCOMMEndpoint(address: "00:07:80:12:34:56"))
        rfcomm = RFCOMMSocket(ends[0], to: endpoint)
        device = ends[1]
    }

    deinit {
        close(device)
    }

    /// Sends bytes as the device and returns the number sent.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Int {
        send(device, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads the bytes received by the device; `nil` at the end of the stream.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(device, &bytes, bytes.count)
        return count == 0 ? nil : Array(bytes.prefix(max(count, 0)))
    }

    /// Whether the peer has closed the connection.
    var hasEnded: Bool {
        while let bytes = read() {
            if bytes.isEmpty { return false }
        }
        return true
    }

    /// Closes the connection as the device.
    func hangUp() {
        shutdown(device, Int32(SHUT_RDWR))
    }

    /// Fills the send buffer, so that writes block.
    func fill() {
        while case .wrote = rfcomm.write([UInt8](repeating: 0, count: 65_536)[...]) {}
    }
}

/// An opener that returns duplicates of an open descriptor.
struct ReadyOpener: StreamOpener {
    let name: String
    let next: @Sendable () throws(SerialError) -> any StreamDescriptor

    func open() throws(SerialError) -> any StreamDescriptor { try next() }
}

extension SocketPair {
    /// An opener of the pair's RFCOMM socket.
    var opener: ReadyOpener {
        ReadyOpener(name: endpoint.address.description) { [rfcomm] () throws(SerialError) in
            try rfcomm.duplicate()
        }
    }
}
