import CPty
import GatewayCore
import Glibc
import Platform

/// What is at the path of a port, as far as that can be told without opening it.
///
/// Opening some devices does something: a modem line moves, a board restarts.
public enum PortNode {
    /// Whether a path is, or may yet become, that of a serial port.
    ///
    /// A path with nothing there may: the device may be plugged in later. Of a character device sysfs
    /// tells what it is; pseudo-terminals are not in sysfs.
    public static func mayBePort(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        guard status.st_mode & S_IFMT == S_IFCHR else { return false }
        let number = "\(cpty_major(status.st_rdev)):\(cpty_minor(status.st_rdev))"
        guard let subsystem = SystemCall.target(ofLink: "/sys/dev/char/\(number)/subsystem")
        else { return true }
        return subsystem.hasSuffix("/tty")
    }
}
