public import GatewayCore

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
    /// The system refused an operation with this `errno`.
    case failed(path: String, operation: String, code: Int32)

    /// What is wrong, and what mends it.
    public var linkError: LinkError {
        switch self {
        // A port that is gone and one that is not there yet are mended alike: it is said once.
        case .noSuchPort(let path), .unplugged(let path):
            LinkError(
                "\(path): no such port",
                mend: "plug the device in, or look for it under /dev/serial/by-id")
        case .permissionDenied(let path, let group):
            LinkError("\(path): permission denied", mend: Self.permissionMend(group))
        case .busy(let path):
            LinkError(
                "\(path): another program is using the port",
                mend: "stop that program; `fuser -v \(path)` shows it")
        case .notASerialPort(let path):
            LinkError("\(path): not a serial port", mend: "correct `port.path`")
        case .writeTimedOut(let path):
            LinkError("\(path): the device does not take what is sent to it")
        case .notOpen(let path): LinkError("\(path): the port is not open")
        case .failed(let path, let operation, let code):
            LinkError("\(path): \(operation): \(SystemCall.message(of: code))")
        }
    }

    /// Why the link was lost, in the words of an event of the device.
    var reason: String {
        if case .unplugged = self { "unplugged" } else { linkError.problem }
    }

    /// What is wrong, and after a semicolon what mends it.
    public var description: String { linkError.description }

    private static func permissionMend(_ group: String?) -> String {
        guard let group else { return "let the gateway's user read and write it with a udev rule" }
        return "add the user to group \(group): sudo usermod -aG \(group) $USER, then log in again"
    }
}
