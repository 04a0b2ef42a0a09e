public import GatewayCore
import Platform

/// Why a serial port cannot be opened, or why an open one has failed.
public enum SerialError: Error, Hashable, CustomStringConvertible {
    /// Nothing has this path.
    case noSuchPort(path: String)
    /// The path belongs to somebody else; the group is the one that may use it, when one may.
    case permissionDenied(path: String, group: String?)
    /// Another program has the port to itself.
    case busy(path: String)
    /// The path is a file, a folder or another kind of device.
    case notASerialPort(path: String)
    /// The device behind the path is gone.
    case unplugged(path: String)
    /// The device did not take what was sent to it in time.
    case writeTimedOut(path: String)
    /// The port is not open: it was closed, or never opened.
    case notOpen(path: String)
    /// None of the ports that there are is the one that is meant.
    case noPortMatches(SerialPortIdentity)
    /// These ports are all what is meant, and this would tell them apart.
    case severalPortsMatch(SerialPortIdentity, paths: [String], distinction: String?)
    /// The system refused an operation with this `errno`.
    case failed(path: String, operation: String, code: Int32)
    /// A serial port over Bluetooth has failed.
    case radio(RFCOMMError)

    /// What is wrong, and what mends it.
    public var linkError: LinkError {
        switch self {
        // A port that is gone and one that is not there yet are mended alike: it is said once.
        case .noSuchPort(let path), .unplugged(let path):
            LinkError(
                "\(path): no such port",
                remedy: "plug the device in, or look for it under /dev/serial/by-id")
        case .permissionDenied(let path, let group):
            LinkError("\(path): permission denied", remedy: Self.permissionRemedy(group))
        case .busy(let path):
            LinkError(
                "\(path): another program is using the port",
                remedy: "stop that program; `fuser -v \(path)` shows it")
        case .notASerialPort(let path):
            LinkError("\(path): not a serial port", remedy: "correct `port.path`")
        case .writeTimedOut(let path):
            LinkError("\(path): the device does not take what is sent to it")
        case .notOpen(let path): LinkError("\(path): the port is not open")
        case .noPortMatches(let identity):
            LinkError("no port matches \(identity)", remedy: "plug it in, or correct `port`")
        case .severalPortsMatch(let identity, let paths, let distinction):
            LinkError(
                "\(paths.joined(separator: " and ")) match \(identity)",
                remedy: distinction.map { "add to `port` \($0)" }
                    ?? "name one by its path, as in `port: { path: \"\(paths.first ?? "")\" }`")
        case .failed(let path, let operation, let code):
            LinkError("\(path): \(operation): \(SystemCall.message(of: code))")
        case .radio(let error): error.linkError
        }
    }

    /// Why the link was lost, in the words of an event of the device.
    var reason: String {
        switch self {
        case .unplugged: "unplugged"
        case .radio(let error): error.reason
        default: linkError.problem
        }
    }

    /// What is wrong, and after a semicolon what mends it.
    public var description: String { linkError.description }

    private static func permissionRemedy(_ group: String?) -> String {
        guard let group else { return "let the gateway's user read and write it with a udev rule" }
        return "add the user to group \(group): sudo usermod -aG \(group) $USER, then log in again"
    }
}
