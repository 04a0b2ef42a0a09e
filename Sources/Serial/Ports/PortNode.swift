import CPty
import GatewayCore
import Glibc
import Platform

/// Checks the path of a port without opening it.
///
/// Opening some devices has side effects: a modem line changes, a board resets.
public enum PortNode {
    /// Whether a path is, or may become, that of a serial port.
    ///
    /// A missing path may: the device may be plugged in later. The type of a character device is read
    /// from sysfs, which does not contain pseudo-terminals.
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
