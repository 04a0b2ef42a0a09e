import Platform

/// The local identifier of a device: the address of a Bluetooth device, or the path of a port.
package struct DeviceIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Examples of identifiers, for messages.
    package static let examples =
        "an address such as D0:11:22:33:44:55 or a port such as /dev/ttyUSB0"
    /// Examples of keys in the configuration's `devices`, for messages.
    package static let keyExamples =
        "an address such as D0:11:22:33:44:55, a port such as /dev/ttyUSB0, or the identifier of a "
        + "port such as usb:10c4:ea60:0001; a device of another program needs `person`, `name` or "
        + "`role`"
    /// The maximum length of a path on Linux (PATH_MAX without its null byte).
    static let maximumPathLength = 4_095

    /// The maximum length of the name of another program's device in bytes.
    private static let maximumNameLength = 128

    /// The address in upper case, or the path as it was written.
    package let description: String

    /// Reads an address, in either case, or the absolute path of a port in `/dev`.
    ///
    /// Paths are compared as text, so a path with `.`, `..` or empty components is invalid.
    package init?(_ text: String) {
        if let address = BluetoothAddress(text) {
            description = address.description
        } else if Self.isPort(text) {
            description = text
        } else {
            return nil
        }
    }

    /// Whether a text can be a local identifier in the configuration: an address, an absolute path,
    /// or USB properties or a physical connection of a port.
    static func isKey(_ text: String) -> Bool {
        if text.hasPrefix("/") || text.hasPrefix("@") { return text.utf8.count > 1 }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return BluetoothAddress(text) != nil || parts.count > 2 && parts[0] == "usb"
    }

    /// Whether a text can be the local identifier of a device that another program reads, such as
    /// the phone of an import.
    static func isForeignKey(_ text: String) -> Bool {
        // A port without its folder is a mistake.
        guard !text.isEmpty, text.utf8.count <= maximumNameLength, !text.hasPrefix("tty"),
            LogFormat.escaped(text) == text, text.utf8.first != UInt8(ascii: " ")
        else { return false }
        return !text.contains { ":/@".contains($0) }
    }

    /// Whether it is the path of a port.
    package var isPort: Bool { description.hasPrefix("/") }

    /// Whether it is an address, or a port by a name that the kernel and udev give to serial ports alone.
    ///
    /// Other names in `/dev` can be the terminal of a person.
    package var isOfSerialPortOrAddress: Bool {
        guard isPort else { return true }
        let name = description.dropFirst("/dev/".count)
        guard !name.hasPrefix("serial/"), !name.hasPrefix("pulsegate/") else { return true }
        return ["ttyUSB", "ttyACM", "ttyS", "ttyAMA", "rfcomm"].contains { kind in
            name.hasPrefix(kind) && UInt32(name.dropFirst(kind.count)) != nil
        }
    }

    /// Compares identifiers by their text.
    package static func < (left: DeviceIdentifier, right: DeviceIdentifier) -> Bool {
        left.description < right.description
    }

    private static func isPort(_ text: String) -> Bool {
        guard text.hasPrefix("/dev/"), text.utf8.count <= maximumPathLength,
            LogFormat.escaped(text) == text
        else { return false }
        return text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { !["", ".", ".."].contains($0) }
    }
}
