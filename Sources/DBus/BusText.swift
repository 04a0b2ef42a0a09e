import CSystemd

/// Validation of texts, as strict as sd-bus.
enum BusText {
    /// The text of a string; nil when sd-bus would reject it.
    ///
    /// sd-bus rejects the non-characters of Unicode too, which D-Bus allows and dbus-daemon
    /// delivers.
    static func string(_ bytes: some Collection<UInt8>) -> String? {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: isNonCharacter)
        else { return nil }
        return text
    }

    /// The text of an object path; nil when it is invalid.
    static func objectPath(_ bytes: some Collection<UInt8>) -> String? {
        guard let text = string(bytes), sd_bus_object_path_is_valid(text) > 0 else { return nil }
        return text
    }

    /// The text of a signature; nil when it is invalid.
    static func signature(_ bytes: some Collection<UInt8>) -> String? {
        guard let text = string(bytes), BusSignature.isValid(text) else { return nil }
        return text
    }

    private static func isNonCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
    }
}
