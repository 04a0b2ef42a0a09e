import GatewayCore
import Glibc
import Platform

/// The serial ports of this machine.
public enum SerialPorts {
    /// Lists the ports with hardware, sorted by path.
    ///
    /// Virtual consoles, pseudo-terminals and legacy ports without a UART are excluded. It reads sysfs
    /// and the udev database in some milliseconds, and opens no port.
    ///
    /// - Parameter lookingUpAccess: Whether to look up the access rights. The names of users and groups
    ///   may come from a network directory (nsswitch.conf(5)), which may be slow.
    /// - Throws: ``SerialError`` when libudev is out of memory.
    public static func list(
        lookingUpAccess: Bool = true
    ) throws(SerialError) -> [SerialPortDescription] {
        try UdevTerminals.list().compactMap { terminal in
            SerialPortDescription(
                terminal, access: lookingUpAccess ? terminal.node.flatMap(access) : nil)
        }.sorted { $0.path < $1.path }
    }

    private static func access(to path: String) -> SerialPortDescription.Access? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let isGranted = faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0
        return SerialPortDescription.Access(
            owner: AccountNames.user(status.st_uid),
            group: AccountNames.group(status.st_gid) ?? "\(status.st_gid)",
            mode: status.st_mode & 0o7777, isGranted: isGranted)
    }
}
