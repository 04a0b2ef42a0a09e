import GatewayCore
import Glibc
import XCTest

@testable import Serial

/// Two sockets that see each other's bytes: one stands for the radio, the other for the device.
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

    /// Sends bytes as the device and answers with how many fitted.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Int {
        send(device, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads what the device has got; `nil` at the end, empty when nothing is there.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(device, &bytes, bytes.count)
        return count == 0 ? nil : Array(bytes.prefix(max(count, 0)))
    }

    /// Whether the other side has ended the connection, behind what it sent before.
    var hasEnded: Bool {
        while let bytes = read() {
            if bytes.isEmpty { return false }
        }
        return true
    }

    /// Ends the connection as the device.
    func hangUp() {
        shutdown(device, Int32(SHUT_RDWR))
    }

    /// Fills the way to the device, so that it takes nothing more.
    func fill() {
        while case .wrote = rfcomm.write([UInt8](repeating: 0, count: 65_536)[...]) {}
    }
}

/// Hands out descriptors that are there already, one for each opening.
struct ReadyOpener: StreamOpener {
    let name: String
    let next: @Sendable () throws(SerialError) -> any StreamDescriptor

    func open() throws(SerialError) -> any StreamDescriptor { try next() }
}

extension SocketPair {
    /// Opens the pair's radio, as often as one likes.
    var opener: ReadyOpener {
        ReadyOpener(name: endpoint.address.description) { [rfcomm] () throws(SerialError) in
            try rfcomm.duplicate()
        }
    }
}
