/// A D-Bus value (D-Bus Specification 0.43, "Type System").
public indirect enum BusValue: Hashable, Sendable {
    /// `y`
    case byte(UInt8)
    /// `b`
    case boolean(Bool)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`
    case string(String)
    /// `o`
    case objectPath(String)
    /// `g`
    case signature(String)
    /// `h`; only on connections that accept descriptors.
    case descriptor(BusDescriptor)
    /// `ay`; a separate case because measurements arrive as bytes.
    case bytes([UInt8])
    /// `a…` of elements with one signature.
    case array([BusValue], of: String)
    /// `a{…}` with the signatures of keys and values.
    case dictionary([BusValue: BusValue], key: String, value: String)
    /// `(…)`
    case structure([BusValue])
    /// `v`
    case variant(BusValue)
}

extension BusValue {
    /// Properties, as `a{sv}`.
    public static func properties(_ properties: [String: BusValue]) -> BusValue {
        let entries = properties.map { (BusValue.string($0), BusValue.variant($1)) }
        return .dictionary(
            Dictionary(entries) { first, _ in first }, key: "s", value: "v")
    }

    /// The type signature of the value.
    public var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .bytes: "ay"
        case .array(_, let element): "a\(element)"
        case .dictionary(_, let key, let value): "a{\(key)\(value)}"
        case .structure(let members): "(\(members.map(\.signature).joined()))"
        case .variant: "v"
        }
    }

    /// The text of a string or an object path.
    public var string: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// The value of a boolean.
    public var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The descriptor of an `h`.
    public var descriptor: BusDescriptor? {
        if case .descriptor(let descriptor) = self { descriptor } else { nil }
    }

    /// The bytes of an `ay`.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The value of an integer of any width; nil when it exceeds `Int.max`.
    public var integer: Int? {
        switch self {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The elements of an array.
    public var elements: [BusValue]? {
        if case .array(let elements, _) = self { elements } else { nil }
    }

    /// The entries of a dictionary whose keys are strings or object paths; variants are unwrapped.
    public var entries: [String: BusValue]? {
        guard case .dictionary(let dictionary, _, _) = self else { return nil }
        var entries: [String: BusValue] = [:]
        for (key, value) in dictionary {
            guard let name = key.string else { return nil }
            entries[name] = if case .variant(let inner) = value { inner } else { value }
        }
        return entries
    }
}
