import CSystemd
import Glibc

/// A writer of message bodies.
///
/// Invalid values are rejected with `EINVAL` before anything is sent: the daemon would close the
/// connection of the sender.
struct MessageWriter {
    /// The maximum nesting depth, as for reading.
    static let depthLimit = MessageReader.depthLimit
    /// The longest array in bytes (D-Bus Specification 0.43, "Marshaling").
    static let byteLimit = 1 << 26

    private let message: OpaquePointer

    /// Appends the values to a message that is not sealed yet.
    static func write(_ body: [BusValue], to message: OpaquePointer) throws(BusError) {
        let writer = MessageWriter(message: message)
        for value in body { try writer.append(value, depth: 0) }
    }

    private func append(_ value: BusValue, depth: Int) throws(BusError) {
        guard depth <= Self.depthLimit else { throw Self.fault(EINVAL) }
        switch value {
        case .byte(let number): try append("y", number)
        case .boolean(let flag): try append("b", Int32(flag ? 1 : 0))
        case .int16(let number): try append("n", number)
        case .uint16(let number): try append("q", number)
        case .int32(let number): try append("i", number)
        case .uint32(let number): try append("u", number)
        case .int64(let number): try append("x", number)
        case .uint64(let number): try append("t", number)
        case .double(let number): try append("d", number)
        case .string(let text): try append(string: text)
        case .objectPath(let text): try append("o", text: text)
        case .signature(let text):
            guard BusSignature.isValid(text) else { throw Self.fault(EINVAL) }
            try append("g", text: text)
        // The message takes a copy.
        case .descriptor(let descriptor): try append("h", descriptor.number)
        case .bytes(let bytes): try append(bytes)
        case .array, .dictionary, .structure, .variant: try append(container: value, depth + 1)
        }
    }

    private func append(container value: BusValue, _ depth: Int) throws(BusError) {
        switch value {
        case .array(let elements, let element):
            guard BusSignature.isElement(element) else { throw Self.fault(EINVAL) }
            try inside("a", element) { () throws(BusError) in
                for value in elements { try append(value, depth: depth) }
            }
        case .dictionary(let entries, let key, let type):
            guard BusSignature.isElement("{\(key)\(type)}") else { throw Self.fault(EINVAL) }
            try inside("a", "{\(key)\(type)}") { () throws(BusError) in
                // Sorted, so that equal values are equal messages; some programs also depend on the
                // order of interfaces that bluetoothd has.
                for (name, value) in entries.sorted(by: { $0.key.isBefore($1.key) }) {
                    try inside("e", "\(key)\(type)") { () throws(BusError) in
                        try append(name, depth: depth)
                        try append(value, depth: depth)
                    }
                }
            }
        case .structure(let members):
            let contents = members.map(\.signature).joined()
            guard BusSignature.isElement("(\(contents))") else { throw Self.fault(EINVAL) }
            try inside("r", contents) { () throws(BusError) in
                for value in members { try append(value, depth: depth) }
            }
        case .variant(let inner):
            let contents = inner.signature
            guard BusSignature.isElement(contents) else { throw Self.fault(EINVAL) }
            try inside("v", contents) { () throws(BusError) in
                try append(inner, depth: depth)
            }
        default: throw Self.fault(EINVAL)
        }
    }

    private func inside(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
        try check(sd_bus_message_open_container(message, Self.letter(type), contents))
        try body()
        try check(sd_bus_message_close_container(message))
    }

    private func append<Number: BitwiseCopyable>(
        _ type: Unicode.Scalar, _ number: Number
    ) throws(BusError) {
        let result = withUnsafePointer(to: number) {
            sd_bus_message_append_basic(message, Self.letter(type), $0)
        }
        try check(result)
    }

    private func append(_ type: Unicode.Scalar, text: String) throws(BusError) {
        // C would truncate the text at the NUL.
        guard !text.utf8.contains(0) else { throw Self.fault(EINVAL) }
        let result = text.withCString {
            sd_bus_message_append_basic(message, Self.letter(type), $0)
        }
        try check(result)
    }

    /// Appends a string.
    ///
    /// sd-bus would check it, and reject the non-characters of Unicode, which D-Bus allows.
    private func append(string text: String) throws(BusError) {
        guard !text.utf8.contains(0) else { throw Self.fault(EINVAL) }
        let count = text.utf8.count
        var space: UnsafeMutablePointer<CChar>?
        try check(sd_bus_message_append_string_space(message, count, &space))
        UnsafeMutableRawBufferPointer(start: space, count: count).copyBytes(from: text.utf8)
    }

    private func append(_ bytes: [UInt8]) throws(BusError) {
        guard bytes.count <= Self.byteLimit else { throw Self.fault(EINVAL) }
        let result = bytes.withUnsafeBytes {
            sd_bus_message_append_array(message, Self.letter("y"), $0.baseAddress, $0.count)
        }
        try check(result)
    }

    private static func letter(_ type: Unicode.Scalar) -> CChar {
        CChar(truncatingIfNeeded: type.value)
    }

    /// Checks a result of sd-bus; its ENXIO for a value that does not match the container's
    /// signature becomes EINVAL like any other invalid value.
    private func check(_ result: Int32) throws(BusError) {
        guard result >= 0 else { throw Self.fault(result == -ENOMEM ? ENOMEM : EINVAL) }
    }

    private static func fault(_ code: Int32) -> BusError {
        .failed(operation: "writing a D-Bus message", code: code)
    }
}

extension BusValue {
    /// The order of the keys of a dictionary.
    fileprivate func isBefore(_ other: BusValue) -> Bool {
        if let text = string, let other = other.string { return text < other }
        return (integer ?? 0) < (other.integer ?? 0)
    }
}
