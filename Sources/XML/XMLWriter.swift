import JSON

/// An XML writer that writes tag by tag.
package struct XMLWriter {
    package private(set) var bytes: [UInt8] = Array(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
    private var open: [String] = []

    /// Makes a writer that has written the XML declaration.
    package init() {}

    /// Writes an opening tag.
    package mutating func start(_ name: String, _ attributes: [(name: String, value: String)] = [])
    {
        bytes += Array("<\(name)".utf8)
        for attribute in attributes {
            bytes += Array(" \(attribute.name)=\"".utf8)
            append(escaped: attribute.value)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
        open.append(name)
    }

    /// Closes the newest open tag.
    package mutating func end() {
        guard let name = open.popLast() else { return }
        bytes += Array("</\(name)>\n".utf8)
    }

    /// Writes a tag with text.
    package mutating func element(_ name: String, _ text: String) {
        start(name)
        append(escaped: text)
        end()
    }

    /// Writes a tag with a number; nothing for nil.
    package mutating func element(_ name: String, _ number: Double?) {
        guard let number, number.isFinite else { return }
        element(name, Number.string(number))
    }

    /// Writes a tag with the number in a child tag `Value`.
    package mutating func element(_ name: String, value number: Double?) {
        guard let number, number.isFinite else { return }
        start(name)
        element("Value", number)
        end()
    }

    /// Appends escaped text, without the characters that XML does not allow, such as most control
    /// characters.
    private mutating func append(escaped text: String) {
        for scalar in text.unicodeScalars where Self.isAllowed(scalar) {
            switch scalar {
            case "<": bytes.append("&lt;")
            case ">": bytes.append("&gt;")
            case "&": bytes.append("&amp;")
            case "\"": bytes.append("&quot;")
            case "\t", "\n", "\r": bytes += Array("&#\(scalar.value);".utf8)
            default: bytes += Array(String(scalar).utf8)
            }
        }
    }

    /// Whether XML allows a character (XML 1.0, section 2.2).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
