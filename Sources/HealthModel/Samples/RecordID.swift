import JSON

/// The permanent id of a record: a UUID that sorts by time.
public struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, the first byte in the highest bits.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// Makes an id from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an id from its 16 bytes, most significant first; nil for another number of bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 16 bytes, most significant first.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// Calls a function with the 16 bytes, most significant first, without an allocation.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// Orders ids by their bytes.
    public static func < (left: RecordID, right: RecordID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension RecordID {
    /// The length of a UUID as text.
    static let textCount = 36

    /// Reads the 36 characters of a UUID, of either case; nil for anything else.
    public init?(uuidString text: some StringProtocol) {
        var text = String(text)
        let id = text.withUTF8 { RecordID(uuidBytes: UnsafeRawBufferPointer($0)) }
        guard let id else { return nil }
        self = id
    }

    /// Reads what `init(uuidString:)` reads, from UTF-8.
    init?(uuidBytes text: UnsafeRawBufferPointer) {
        guard text.count == Self.textCount else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<Self.textCount {
            if Self.isHyphen(index) {
                guard text[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexadecimalValue(text[index]) else { return nil }
            // The 16 digits of the first half end before the third hyphen, at 18.
            if index < 18 {
                halves.high = halves.high << 4 | UInt64(digit)
            } else {
                halves.low = halves.low << 4 | UInt64(digit)
            }
        }
        self.init(high: halves.high, low: halves.low)
    }

    /// The lower-case UUID.
    public var description: String {
        var buffer: [UInt8] = []
        append(to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Appends `description` as ASCII, without creating a string.
    package func append(to buffer: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textCount) { text in
            _ = write(to: text)
            buffer.append(contentsOf: text)
        }
    }

    /// Writes `description` as ASCII and returns its length.
    func write(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        Self.write(high >> 32, digits: 8, to: text, at: 0)
        text[8] = UInt8(ascii: "-")
        Self.write(high >> 16, digits: 4, to: text, at: 9)
        text[13] = UInt8(ascii: "-")
        Self.write(high, digits: 4, to: text, at: 14)
        text[18] = UInt8(ascii: "-")
        Self.write(low >> 48, digits: 4, to: text, at: 19)
        text[23] = UInt8(ascii: "-")
        Self.write(low, digits: 12, to: text, at: 24)
        return Self.textCount
    }

    /// Writes the lowest digits of a number.
    private static func write(
        _ number: UInt64, digits: Int, to text: UnsafeMutableBufferPointer<UInt8>, at start: Int
    ) {
        var rest = number
        var place = start + digits
        while place > start {
            place -= 1
            text[place] = [UInt8].hexadecimalDigit(UInt8(truncatingIfNeeded: rest) & 0x0F)
            rest >>= 4
        }
    }

    private static func isHyphen(_ index: Int) -> Bool {
        index == 8 || index == 13 || index == 18 || index == 23
    }
}
