import JSON

/// Escapes texts for InfluxDB's line protocol.
///
/// The rules are those of "InfluxDB line protocol reference", version 1, "Special characters".
enum LineProtocolText {
    /// Appends a tag's value: comma, equals sign and space are escaped.
    ///
    /// Line ends and other control characters cannot be escaped and become a space. A backslash needs
    /// no escape before an ordinary character. Before a separator, before another backslash and at
    /// the end servers interpret it differently; there it becomes a slash.
    static func appendTag(_ text: String, to bytes: inout [UInt8]) {
        let text = Array(text.utf8)
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: " "):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F: bytes.append("\\ ")
            case UInt8(ascii: "\\"):
                let isPlain = index + 1 < text.count && isOrdinary(text[index + 1])
                bytes.append(isPlain ? byte : UInt8(ascii: "/"))
            default: bytes.append(byte)
            }
        }
    }

    /// Appends a field's text in quotation marks; quotation marks and backslashes are escaped.
    static func appendField(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isOrdinary(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: " "), UInt8(ascii: "\\"),
            0..<0x20, 0x7F:
            false
        default: true
        }
    }
}
