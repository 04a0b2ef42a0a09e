/// Reads consecutive little-endian fields; returns `nil` at the end.
struct FieldReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func readUInt8() -> UInt8? {
        rest.popFirst()
    }

    mutating func readUInt16() -> UInt16? {
        guard rest.count >= 2, let low = rest.popFirst(), let high = rest.popFirst() else {
            return nil
        }
        return UInt16(high) << 8 | UInt16(low)
    }

    mutating func readUInt16s(count: Int) -> [UInt16]? {
        var values: [UInt16] = []
        for _ in 0..<count {
            guard let value = readUInt16() else { return nil }
            values.append(value)
        }
        return values
    }

    /// Reads printable ASCII characters other than the space.
    mutating func readPrintable(count: Int) -> String? {
        let bytes = rest.prefix(count)
        guard bytes.count == count, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func skip(_ count: Int) -> Bool {
        guard rest.count >= count else { return false }
        rest = rest.dropFirst(count)
        return true
    }
}
