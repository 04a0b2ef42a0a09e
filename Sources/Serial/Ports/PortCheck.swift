package import GatewayCore
import Glibc
import JSON
import Platform

/// Checks whether this user may open a serial port, without opening it.
///
/// Opening some devices has side effects: a modem line changes, a board resets.
package enum PortCheck {
    /// The path of the port that the settings of a `serial` source select.
    ///
    /// - Throws: ``SerialError`` when no port has the identity, or several have it.
    package static func path(
        _ settings: ConfigurationNode,
        ports: @Sendable () throws(SerialError) -> [SerialPortDescription] = SerialPort
            .listPresentPorts
    ) throws(SerialError) -> String? {
        guard case .object(let fields) = settings.value, let port = fields["port"],
            let selector = try? PortSelector(
                ConfigurationNode(path: "port", value: port, types: settings.types))
        else { return nil }
        switch selector {
        case .path(let path): return path
        case .identity(let identity): return try identity.singleMatch(in: ports()).path
        }
    }

    /// Why this user cannot open the port at a path; nil when that is not known to fail.
    package static func problem(at path: String) -> SerialError? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return TerminalDescriptor.openError(path, errno, nil)
        }
        guard status.st_mode & S_IFMT == S_IFCHR, PortNode.mayBePort(path) else {
            return .notASerialPort(path: path)
        }
        guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 else { return nil }
        return TerminalDescriptor.openError(path, errno, status)
    }
}
