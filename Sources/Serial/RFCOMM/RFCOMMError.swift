public import GatewayCore
import Glibc
import Platform

/// Why a Bluetooth serial port cannot be reached, or why the connection was lost.
public enum RFCOMMError: Error, Hashable, CustomStringConvertible {
    /// The device does not answer: it is off, too far away, or taken.
    case noAnswer(address: String)
    /// The device was there and is not any more.
    case lost(address: String)
    /// The device wants no connection on this channel.
    case refused(address: String, channel: Int)
    /// The device wants to be paired, or has forgotten that it was.
    case notPaired(address: String)
    /// The channel is in use by another program of this machine.
    case busy(address: String, channel: Int)
    /// There is no Bluetooth adapter, or it is off.
    case adapterOff(address: String)
    /// The system has no Bluetooth serial ports.
    case notSupported(address: String)
    /// The system refused an operation with this `errno`.
    case failed(address: String, operation: String, code: Int32)

    /// What is wrong, and what mends it.
    public var linkError: LinkError {
        switch self {
        // A device that is gone and one that is not there yet are mended alike: it is said once.
        case .noAnswer(let address), .lost(let address):
            LinkError(
                "\(address): the device does not answer",
                remedy: "switch it on, bring it near, and end its connection to any other machine")
        case .refused(let address, let channel):
            LinkError(
                "\(address): the device refuses channel \(channel)",
                remedy: "pair it: `pair \(address)` in `bluetoothctl`; or correct `channel`: "
                    + "`sdptool browse \(address)` shows what it offers")
        case .notPaired(let address):
            LinkError(
                "\(address): the device is not paired",
                remedy: "pair it: `pair \(address)` in `bluetoothctl`, "
                    + "after `remove \(address)` if it was paired before")
        case .busy(let address, let channel):
            LinkError(
                "\(address): another program is using channel \(channel)",
                remedy: "stop that program; `rfcomm -a` shows ports that are bound to the device")
        case .adapterOff(let address):
            LinkError(
                "\(address): no Bluetooth adapter is on",
                remedy: "`bluetoothctl power on`, after `rfkill unblock bluetooth` if need be")
        case .notSupported(let address):
            LinkError(
                "\(address): the system has no Bluetooth serial ports (RFCOMM)",
                remedy: "`sudo modprobe rfcomm`, and allow AF_BLUETOOTH where a container or a "
                    + "service's RestrictAddressFamilies= forbids it")
        case .failed(let address, let operation, let code):
            LinkError("\(address): \(operation): \(SystemCall.message(of: code))")
        }
    }

    /// Why the link was lost, in the words of an event of the device.
    var reason: String {
        if case .lost = self { "connection lost" } else { linkError.problem }
    }

    /// What is wrong, and after a semicolon what mends it.
    public var description: String { linkError.description }
}

extension RFCOMMError {
    /// What it means that the system has no socket.
    static func making(_ endpoint: RFCOMMEndpoint, code: Int32) -> RFCOMMError {
        switch code {
        case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT:
            .notSupported(address: endpoint.address.description)
        default: .failed(address: endpoint.address.description, operation: "socket", code: code)
        }
    }

    /// What it means that a connection could not be made.
    ///
    /// The kernel makes these of the controller's status (bt_to_errno, net/bluetooth/lib.c).
    static func connecting(_ endpoint: RFCOMMEndpoint, code: Int32) -> RFCOMMError {
        let address = endpoint.address.description
        return switch code {
        case EHOSTDOWN, ETIMEDOUT, ECONNRESET, ECONNABORTED: .noAnswer(address: address)
        case ECONNREFUSED: .refused(address: address, channel: endpoint.channel)
        case EACCES, EPERM, EBADE, ELOOP, EKEYREJECTED, ENOKEY: .notPaired(address: address)
        case EBUSY, EADDRINUSE: .busy(address: address, channel: endpoint.channel)
        case ENETDOWN, EHOSTUNREACH, ENETUNREACH, ENODEV: .adapterOff(address: address)
        default: .failed(address: address, operation: "connect", code: code)
        }
    }

    /// What it means that a connection failed that was there.
    static func connected(
        _ endpoint: RFCOMMEndpoint, operation: String, code: Int32
    ) -> RFCOMMError {
        let address = endpoint.address.description
        return switch code {
        case EHOSTDOWN, ETIMEDOUT, ECONNRESET, ECONNABORTED, ECONNREFUSED, ENOTCONN, EPIPE,
            ENETDOWN, EHOSTUNREACH, ENETUNREACH, ENETRESET, ENODEV, EIO, EBADFD:
            .lost(address: address)
        default: .failed(address: address, operation: operation, code: code)
        }
    }
}
