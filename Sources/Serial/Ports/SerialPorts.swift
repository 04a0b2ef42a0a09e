import GatewayCore
import Glibc

/// The serial ports of this machine.
public enum SerialPorts {
    /// Lists the ports with a device behind them, in the order of their paths.
    ///
    /// Virtual consoles, pseudo-terminals and the legacy ports of a PC without a chip are left out. It
    /// reads sysfs and udev's database and opens no port; it takes some milliseconds.
    ///
    /// - Parameter lookingUpAccess: Whether it is told who may open each port. The names of users and
    ///   groups may come from a directory on the network (nsswitch.conf(5)), which may take long.
    /// - Throws: ``SerialError`` when udev's library has no memory.
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
