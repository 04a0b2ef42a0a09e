import CSystemd
import Glibc

/// A reader of message bodies, which are untrusted input.
///
/// sd-bus checks every length and text; the reader limits the depth and the number of values. From
/// the limit on it leaves out the further elements of the arrays that are arguments, such as the
/// objects in an answer to `GetManagedObjects`, and counts them.
struct MessageReader {
    /// The maximum nesting depth of containers (D-Bus Specification 0.43, "Message Protocol").
    static let depthLimit = 64
    /// The number of values from which on further elements are left out, and the most values of one
    /// element; empty containers count too, and an `ay` is one value.
    static let valueLimit = 1_000_000
    /// The depth of the elements that are left out.
    static let elementDepth = 1

    private let message: OpaquePointer
    private var valueCount = 0
    /// The number of values before the element that is being read.
    private var elementStart = 0
    private var leftOutCount = 0

    private init(_ message: OpaquePointer) {
        self.message = message
    }

    /// The values in the message's body, and the number of elements that were left out.
    static func body(
        of message: OpaquePointer
    ) throws(BusError) -> (values: [BusValue], leftOutCount: Int) {
        var reader = MessageReader(message)
        let values = try reader.rest(depth: 0)
        return (values, reader.leftOutCount)
    }

    /// The values up to the end of the container that is being read.
    private mutating func rest(depth: Int) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while let value = try next(depth: depth) { values.append(value) }
        return values
    }

    /// The next value of the container; nil at its end.
    private mutating func next(depth: Int) throws(BusError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try check(sd_bus_message_peek_type(message, &type, &contents)) > 0 else { return nil }
        valueCount += 1
        guard valueCount - elementStart <= Self.valueLimit else { throw Self.fault(EMSGSIZE) }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "v"):
            guard depth < Self.depthLimit else { throw Self.fault(EMSGSIZE) }
            guard let contents else { throw Self.fault(EBADMSG) }
            return try container(type, String(cString: contents), depth: depth + 1)
        default: return try basic(type)
        }
    }

    private mutating func container(
        _ type: CChar, _ contents: String, depth: Int
    ) throws(BusError) -> BusValue {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "a") where contents == "y": return .bytes(try bytes())
        case UInt8(ascii: "a") where contents.utf8.first == UInt8(ascii: "{"):
            return try dictionary(contents, depth: depth)
        case UInt8(ascii: "a"): return .array(try elements(contents, depth: depth), of: contents)
        case UInt8(ascii: "r"): return .structure(try members(type, depth: depth))
        default:
            guard let value = try members(type, depth: depth).first else {
                throw Self.fault(EBADMSG)
            }
            return .variant(value)
        }
    }

    private mutating func members(_ type: CChar, depth: Int) throws(BusError) -> [BusValue] {
        try check(sd_bus_message_enter_container(message, type, nil))
        let members = try rest(depth: depth)
        try check(sd_bus_message_exit_container(message))
        return members
    }

    private mutating func elements(
        _ contents: String, depth: Int
    ) throws(BusError) -> [BusValue] {
        var elements: [BusValue] = []
        let array = CChar(bitPattern: UInt8(ascii: "a"))
        try check(sd_bus_message_enter_container(message, array, nil))
        while try hasElement(contents, depth: depth), let value = try next(depth: depth) {
            elements.append(value)
        }
        try check(sd_bus_message_exit_container(message))
        return elements
    }

    /// Whether an array has another element; those beyond the limit are left out.
    private mutating func hasElement(_ type: String, depth: Int) throws(BusError) -> Bool {
        if depth == Self.elementDepth { elementStart = valueCount }
        while try check(sd_bus_message_at_end(message, 0)) == 0 {
            guard depth == Self.elementDepth, valueCount >= Self.valueLimit else { return true }
            try check(sd_bus_message_skip(message, type))
            leftOutCount += 1
        }
        return false
    }

    private mutating func dictionary(_ contents: String, depth: Int) throws(BusError) -> BusValue {
        let entry = CChar(bitPattern: UInt8(ascii: "e"))
        var dictionary: [BusValue: BusValue] = [:]
        try check(
            sd_bus_message_enter_container(message, CChar(bitPattern: UInt8(ascii: "a")), nil))
        while try hasElement(contents, depth: depth) {
            try check(sd_bus_message_enter_container(message, entry, nil))
            guard let key = try next(depth: depth), let value = try next(depth: depth) else {
                throw Self.fault(EBADMSG)
            }
            dictionary[key] = value
            try check(sd_bus_message_exit_container(message))
        }
        try check(sd_bus_message_exit_container(message))
        return .dictionary(
            dictionary, key: String(contents.dropFirst().prefix(1)),
            value: String(contents.dropFirst(2).dropLast()))
    }

    private func bytes() throws(BusError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        try check(
            sd_bus_message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &start, &count)
        )
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func basic(_ type: CChar) throws(BusError) -> BusValue {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): .byte(try read(type, UInt8(0)))
        case UInt8(ascii: "b"): .boolean(try read(type, Int32(0)) != 0)
        case UInt8(ascii: "n"): .int16(try read(type, Int16(0)))
        case UInt8(ascii: "q"): .uint16(try read(type, UInt16(0)))
        case UInt8(ascii: "i"): .int32(try read(type, Int32(0)))
        case UInt8(ascii: "u"): .uint32(try read(type, UInt32(0)))
        case UInt8(ascii: "x"): .int64(try read(type, Int64(0)))
        case UInt8(ascii: "t"): .uint64(try read(type, UInt64(0)))
        case UInt8(ascii: "d"): .double(try read(type, Double(0)))
        case UInt8(ascii: "s"): .string(try text(type))
        case UInt8(ascii: "o"): .objectPath(try text(type))
        case UInt8(ascii: "g"): .signature(try text(type))
        // Without negotiation sd-bus lets none through.
        case UInt8(ascii: "h"): .descriptor(try descriptor(type))
        default: throw Self.fault(EBADMSG)
        }
    }

    private func read<Value: BitwiseCopyable>(
        _ type: CChar, _ initial: Value
    ) throws(BusError) -> Value {
        var value = initial
        try check(sd_bus_message_read_basic(message, type, &value))
        return value
    }

    /// A copy of the descriptor: the message closes its own.
    private func descriptor(_ type: CChar) throws(BusError) -> BusDescriptor {
        guard let copy = BusDescriptor.copy(of: try read(type, Int32(-1))) else {
            throw Self.fault(errno)
        }
        return copy
    }

    private func text(_ type: CChar) throws(BusError) -> String {
        var start: UnsafePointer<CChar>?
        try check(sd_bus_message_read_basic(message, type, &start))
        guard let start else { throw Self.fault(EBADMSG) }
        return String(cString: start)
    }

    @discardableResult
    private func check(_ result: Int32) throws(BusError) -> Int32 {
        guard result >= 0 else { throw Self.fault(-result) }
        return result
    }

    private static func fault(_ code: Int32) -> BusError {
        .failed(operation: "reading a D-Bus message", code: code)
    }
}
