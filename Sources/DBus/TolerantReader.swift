import Glibc

/// A reader of message bodies that leaves out malformed values.
///
/// sd-bus rejects a body as a whole for a single text, even one that the D-Bus Specification
/// allows. This reader leaves out the array element, dictionary entry or argument that contains it,
/// and everything up to the end of an array whose elements cannot be separated.
struct TolerantReader {
    private var wire: WireBytes
    private var valueCount = 0
    /// The number of values before the element that is being read (``MessageReader/valueLimit``).
    private var elementStart = 0
    private var place: [String] = []
    private var body = TolerantBody()

    /// The arguments of a message.
    ///
    /// - Parameters:
    ///   - message: The bytes of the message, header included.
    ///   - signature: The signature of its body.
    /// - Throws: ``BusError/failed(operation:code:)`` when it is too large or has no usable part.
    static func body(
        of message: [UInt8], signature: String
    ) throws(BusError) -> TolerantBody {
        do throws(WireFault) {
            var reader = try TolerantReader(message)
            return try reader.arguments(Array(signature.utf8))
        } catch {
            let code = error == .tooLarge ? EMSGSIZE : EBADMSG
            throw .failed(operation: "reading a D-Bus message", code: code)
        }
    }

    private init(_ message: [UInt8]) throws(WireFault) {
        wire = try WireBytes(bodyOf: message)
    }

    private mutating func arguments(_ signature: [UInt8]) throws(WireFault) -> TolerantBody {
        var next = 0
        while next < signature.count {
            let type = try Self.type(in: signature, at: next)
            next += type.count
            guard let value = try value(of: type, depth: 0) else {
                // The following arguments would be taken for this one.
                throw .malformed
            }
            body.values.append(value)
            if let text = value.string { place.append(text) }
        }
        return body
    }

    /// The next value; nil when it is left out.
    private mutating func value(of type: ArraySlice<UInt8>, depth: Int) throws(WireFault)
        -> BusValue?
    {
        valueCount += 1
        guard valueCount - elementStart <= MessageReader.valueLimit,
            depth <= MessageReader.depthLimit
        else { throw .tooLarge }
        switch type.first {
        case UInt8(ascii: "a"): return try array(of: type.dropFirst(), depth: depth + 1)
        case UInt8(ascii: "("): return try structure(type, depth: depth + 1)
        case UInt8(ascii: "v"): return try variant(depth: depth + 1)
        default:
            let value = try basic(type.first ?? 0)
            if value == nil { body.skip(at: place) }
            return value
        }
    }
}

/// Containers.
extension TolerantReader {
    private mutating func array(of element: ArraySlice<UInt8>, depth: Int) throws(WireFault)
        -> BusValue
    {
        let length = try wire.number(UInt32.self)
        try wire.align(to: Self.alignment(of: element))
        if element.elementsEqual("y".utf8) { return .bytes(Array(try wire.take(Int(length)))) }
        let outerEnd = try wire.enter(count: Int(length))
        defer { wire.end = outerEnd }
        return element.first == UInt8(ascii: "{")
            ? try dictionary(element, depth: depth) : try list(element, depth: depth)
    }

    private mutating func list(_ element: ArraySlice<UInt8>, depth: Int) throws(WireFault)
        -> BusValue
    {
        var values: [BusValue] = []
        try elements(depth: depth) { reader, isLeftOut throws(WireFault) in
            let value = try reader.value(of: element, depth: depth)
            if let value, !isLeftOut { values.append(value) }
        }
        return .array(values, of: String(decoding: element, as: UTF8.self))
    }

    private mutating func dictionary(
        _ entry: ArraySlice<UInt8>, depth: Int
    ) throws(WireFault) -> BusValue {
        let key = entry.dropFirst().prefix(1)
        let type = entry.dropFirst(2).dropLast()
        var entries: [BusValue: BusValue] = [:]
        try elements(depth: depth) { reader, isLeftOut throws(WireFault) in
            try reader.wire.align(to: 8)
            let name = try reader.value(of: key, depth: depth)
            if let text = name?.string { reader.place.append(text) }
            let value = try reader.value(of: type, depth: depth)
            if name?.string != nil { reader.place.removeLast() }
            if let name, let value, !isLeftOut { entries[name] = value }
        }
        return .dictionary(
            entries, key: String(decoding: key, as: UTF8.self),
            value: String(decoding: type, as: UTF8.self))
    }

    /// Reads the elements of an array; the rest of it is left out after one without a known end.
    ///
    /// `read` is called with whether the element is left out, because it is beyond the limit.
    private mutating func elements(
        depth: Int, _ read: (inout TolerantReader, Bool) throws(WireFault) -> Void
    ) throws(WireFault) {
        let outer = place
        do throws(WireFault) {
            while !wire.isAtEnd {
                let isElement = depth == MessageReader.elementDepth
                if isElement { elementStart = valueCount }
                let isLeftOut = isElement && valueCount >= MessageReader.valueLimit
                if isLeftOut { body.leftOutCount += 1 }
                try read(&self, isLeftOut)
            }
        } catch {
            guard error == .malformed else { throw error }
            place = outer
            body.skip(at: place)
            wire.skipRest()
        }
    }

    private mutating func structure(
        _ type: ArraySlice<UInt8>, depth: Int
    ) throws(WireFault) -> BusValue? {
        try wire.align(to: 8)
        let types = Array(type.dropFirst().dropLast())
        var members: [BusValue] = []
        var isComplete = true
        var next = 0
        while next < types.count {
            let type = try Self.type(in: types, at: next)
            next += type.count
            if let value = try value(of: type, depth: depth) {
                members.append(value)
            } else {
                isComplete = false
            }
        }
        return isComplete ? .structure(members) : nil
    }

    private mutating func variant(depth: Int) throws(WireFault) -> BusValue? {
        let length = Int(try wire.take(1).first ?? 0)
        let signature = Array(try wire.take(length))
        guard try wire.take(1).first == 0 else { throw .malformed }
        let type = try Self.type(in: signature, at: 0)
        guard type.count == signature.count else { throw .malformed }
        return try value(of: type, depth: depth).map { .variant($0) }
    }

    private static func type(
        in signature: [UInt8], at start: Int
    ) throws(WireFault) -> ArraySlice<UInt8> {
        guard let end = BusSignature.endOfType(in: signature, at: start) else { throw .malformed }
        return signature[start..<end]
    }
}

/// Basic values.
extension TolerantReader {
    private mutating func basic(_ type: UInt8) throws(WireFault) -> BusValue? {
        switch type {
        case UInt8(ascii: "y"): return .byte(try wire.number(UInt8.self))
        case UInt8(ascii: "b"): return .boolean(try wire.number(UInt32.self) != 0)
        case UInt8(ascii: "n"): return .int16(try wire.number(Int16.self))
        case UInt8(ascii: "q"): return .uint16(try wire.number(UInt16.self))
        case UInt8(ascii: "i"): return .int32(try wire.number(Int32.self))
        case UInt8(ascii: "u"): return .uint32(try wire.number(UInt32.self))
        case UInt8(ascii: "x"): return .int64(try wire.number(Int64.self))
        case UInt8(ascii: "t"): return .uint64(try wire.number(UInt64.self))
        case UInt8(ascii: "d"): return .double(Double(bitPattern: try wire.number(UInt64.self)))
        case UInt8(ascii: "s"):
            return BusText.string(try wire.text(UInt32.self)).map { .string($0) }
        case UInt8(ascii: "o"):
            return BusText.objectPath(try wire.text(UInt32.self)).map { .objectPath($0) }
        case UInt8(ascii: "g"):
            return BusText.signature(try wire.text(UInt8.self)).map { .signature($0) }
        // A message with a descriptor is an answer to `AcquireNotify`, which has no text to be read
        // again for.
        default: throw .malformed
        }
    }

    private static func alignment(of type: ArraySlice<UInt8>) -> Int {
        switch type.first {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("),
            UInt8(ascii: "{"):
            8
        default: 4
        }
    }
}
