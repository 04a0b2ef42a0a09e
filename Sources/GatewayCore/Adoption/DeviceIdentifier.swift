import Platform

/// The local identifier of a device: the address of a Bluetooth device, or the path of a port.
package struct DeviceIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Examples of identifiers, for messages.
    package static let examples =
        "an address such as D0:11:22:33:44:55 or a port such as /dev/ttyUSB0"
    /// The maximum length of a path on Linux (PATH_MAX without its null byte).
    static let maximumPathLength = 4_095

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

    /// Whether it is the path of a port.
    package var isPort: Bool { description.hasPrefix("/") }

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
