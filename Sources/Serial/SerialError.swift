public import GatewayCore
import Glibc
import Platform

/// The reason why a serial port cannot be opened or has failed.
public enum SerialError: Error, Hashable, CustomStringConvertible {
    /// The path does not exist.
    case noSuchPort(path: String)
    /// The user has no access; `group` is the group with access, if there is one.
    ///
    /// The error has the remedy of the process that has tried; nil for the usual one.
    case permissionDenied(path: String, group: String?, error: LinkError? = nil)
    /// Another program is using the port.
    case busy(path: String)
    /// The path is a file, a directory or another kind of device.
    case notASerialPort(path: String)
    /// The device was unplugged.
    case unplugged(path: String)
    /// A write did not complete in time.
    case writeTimedOut(path: String)
    /// The port is not open.
    case notOpen(path: String)
    /// No port matches the identity.
    case noPortMatches(SerialPortIdentity)
    /// Several ports match the identity; `distinction` is what to add.
    case severalPortsMatch(SerialPortIdentity, paths: [String], distinction: String?)
    /// A system call failed with this `errno`.
    case failed(path: String, operation: String, code: Int32)
    /// An RFCOMM connection failed.
    case rfcomm(RFCOMMError)

    /// The problem and its remedy.
    public var linkError: LinkError {
        switch self {
        // An unplugged port and a missing one have the same message, so that it is reported once.
        case .noSuchPort(let path), .unplugged(let path):
            LinkError(
                "\(path): no such port",
                remedy: "plug in the device, or look for it in /dev/serial/by-id")
        case .permissionDenied(let path, let group, let error):
            error ?? LinkError(Self.denied(path), remedy: Self.usualRemedy(group))
        case .busy(let path):
            LinkError(
                "\(path): another program is using the port",
                remedy: "stop that program: `fuser -v \(path)` shows its process")
        case .notASerialPort(let path):
            LinkError("\(path): not a serial port", remedy: "correct `port.path`")
        case .writeTimedOut(let path):
            LinkError("\(path): write timed out")
        case .notOpen(let path): LinkError("\(path): the port is not open")
        case .noPortMatches(let identity):
            LinkError(
                "no port matches \(identity)", remedy: "plug in the device, or correct `port`")
        case .severalPortsMatch(let identity, let paths, let distinction):
            LinkError(
                "\(paths.joined(separator: " and ")) match \(identity)",
                remedy: distinction.map { "add to `port` \($0)" }
                    ?? "specify one by its path, as in `port: { path: \"\(paths.first ?? "")\" }`")
        case .failed(let path, let operation, let code):
            LinkError("\(path): \(operation): \(SystemCall.message(of: code))")
        case .rfcomm(let error): error.linkError
        }
    }

    /// The reason of the `disconnected` event of the device.
    var reason: String {
        switch self {
        case .unplugged: "unplugged"
        case .rfcomm(let error): error.reason
        default: linkError.problem
        }
    }

    /// The problem, and after a semicolon the remedy.
    public var description: String { linkError.description }

    private static func denied(_ path: String) -> String { "\(path): permission denied" }

    private static func usualRemedy(_ group: String?) -> String {
        guard let group else { return "grant the user read and write access with a udev rule" }
        return "add the user to group \(group): sudo usermod -aG \(group) $USER, then log in again"
    }

    /// The error of a process that its group (EACCES) or the unit of its service (EPERM) denies a port.
    static func permissionDenied(
        path: String, code: Int32, _ status: stat?, to member: GroupMembership = .current
    ) -> SerialError {
        let group = status.flatMap { AccountNames.joinableGroup($0.st_gid) }
        let rule = code == EPERM ? status.flatMap { member.remedy(allowing: $0.st_rdev) } : nil
        let remedy = rule ?? group.map(member.remedy(joining:))
        return .permissionDenied(
            path: path, group: group, error: remedy.map { LinkError(denied(path), remedy: $0) })
    }
}
