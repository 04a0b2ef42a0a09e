public import GatewayCore
import Glibc
import Platform

/// The reason why an RFCOMM connection failed or was lost.
public enum RFCOMMError: Error, Hashable, CustomStringConvertible {
    /// The device does not respond: it is off, out of range, or connected elsewhere.
    case noResponse(address: String)
    /// The connection was lost.
    case lost(address: String)
    /// The device refused the connection on this channel.
    case refused(address: String, channel: Int)
    /// The device requires pairing, or has lost its pairing.
    case notPaired(address: String)
    /// Another program on this machine is using the channel.
    case busy(address: String, channel: Int)
    /// There is no Bluetooth adapter, or it is powered off.
    case adapterOff(address: String)
    /// The system does not support RFCOMM.
    case notSupported(address: String)
    /// A system call failed with this `errno`.
    case failed(address: String, operation: String, code: Int32)

    /// The problem and its remedy.
    public var linkError: LinkError {
        switch self {
        // A lost device and one that does not respond have the same message, so that it is reported once.
        case .noResponse(let address), .lost(let address):
            LinkError(
                "\(address): the device does not respond",
                remedy: "switch it on, move it closer, and disconnect it from other machines")
        case .refused(let address, let channel):
            LinkError(
                "\(address): the device refused the connection on channel \(channel)",
                remedy: "pair it: `pair \(address)` in `bluetoothctl`; or correct `channel`: "
                    + "`sdptool browse \(address)` lists the channels")
        case .notPaired(let address):
            LinkError(
                "\(address): the device is not paired",
                remedy: "pair it: `pair \(address)` in `bluetoothctl`, "
                    + "after `remove \(address)` if it was paired before")
        case .busy(let address, let channel):
            LinkError(
                "\(address): another program is using channel \(channel)",
                remedy: "stop that program; `rfcomm -a` lists the bound ports")
        case .adapterOff(let address):
            LinkError(
                "\(address): no Bluetooth adapter is powered on",
                remedy: "run `rfkill unblock bluetooth` and `bluetoothctl power on`")
        case .notSupported(let address):
            LinkError(
                "\(address): RFCOMM is not supported by the system",
                remedy: "run `sudo modprobe rfcomm`; in a container or service allow AF_BLUETOOTH "
                    + "(RestrictAddressFamilies=)")
        case .failed(let address, let operation, let code):
            LinkError("\(address): \(operation): \(SystemCall.message(of: code))")
        }
    }

    /// The reason of the `disconnected` event of the device.
    var reason: String {
        if case .lost = self { "connection lost" } else { linkError.problem }
    }

    /// The problem, and after a semicolon the remedy.
    public var description: String { linkError.description }
}

extension RFCOMMError {
    /// Maps the `errno` of socket(2).
    static func socketFailure(_ endpoint: RFCOMMEndpoint, code: Int32) -> RFCOMMError {
        switch code {
        case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT:
            .notSupported(address: endpoint.address.description)
        default: .failed(address: endpoint.address.description, operation: "socket", code: code)
        }
    }

    /// Maps the `errno` of connect(2).
    ///
    /// The kernel derives these codes from the controller's status (bt_to_errno, net/bluetooth/lib.c).
    static func connectFailure(_ endpoint: RFCOMMEndpoint, code: Int32) -> RFCOMMError {
        let address = endpoint.address.description
        return switch code {
        case EHOSTDOWN, ETIMEDOUT, ECONNRESET, ECONNABORTED: .noResponse(address: address)
        case ECONNREFUSED: .refused(address: address, channel: endpoint.channel)
        case EACCES, EPERM, EBADE, ELOOP, EKEYREJECTED, ENOKEY: .notPaired(address: address)
        case EBUSY, EADDRINUSE: .busy(address: address, channel: endpoint.channel)
        case ENETDOWN, EHOSTUNREACH, ENETUNREACH, ENODEV: .adapterOff(address: address)
        default: .failed(address: address, operation: "connect", code: code)
        }
    }

    /// Maps the `errno` of an operation on an established connection.
    static func connectionFailure(
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
