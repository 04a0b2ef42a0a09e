/// The header of a file in a tar archive, in the format ustar (POSIX.1-1988, pax(1), "ustar Interchange Format").
///
/// Every program that reads tar reads these archives. A size of 8 GiB and more, for which ustar has no
/// digits, is written in base 256, as GNU tar, bsdtar and Python's tarfile do.
struct TarHeader: Equatable {
    /// The size of a header, and the unit of an archive.
    static let blockSize = 512
    /// The two empty blocks at the end of an archive.
    static let end = [UInt8](repeating: 0, count: 2 * blockSize)

    private static let sizeField = 124..<136
    private static let checksumField = 148..<156
    private static let magicField = 257..<263
    private static let prefixField = 345..<500

    let name: String
    let size: Int64
    /// When the file was changed, in seconds since 1970.
    let time: Int64

    /// The number of bytes between the end of a file and the next header.
    static func padding(after size: Int64) -> Int {
        Int((Int64(blockSize) - size % Int64(blockSize)) % Int64(blockSize))
    }

    /// The bytes of the header; a name has at most 100 bytes.
    var bytes: [UInt8] {
        precondition(name.utf8.count <= 100, "the names of a backup are short")
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at start: Int) {
            block.replaceSubrange(start..<start + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        block.replaceSubrange(Self.sizeField, with: Self.number(size))
        block.replaceSubrange(136..<148, with: Self.number(max(time, 0)))
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        let digits = String(Self.checksum(of: block[...]), radix: 8)
        put(String(repeating: "0", count: 6 - digits.count) + digits + "\u{0} ", at: 148)
        return block
    }

    /// Reads a header; nil for an empty block, which ends an archive.
    ///
    /// - Throws: `foreign` for bytes that are no header, `unknownMember` for what is no regular file.
    init?(_ block: ArraySlice<UInt8>) throws(BackupError) {
        let block = Array(block)
        guard block.count == Self.blockSize else { throw .truncated }
        guard block.contains(where: { $0 != 0 }) else { return nil }
        guard block[Self.magicField].starts(with: "ustar".utf8),
            let checksum = Self.value(of: block[Self.checksumField]),
            checksum == Self.checksum(of: block[...]),
            let size = Self.value(of: block[Self.sizeField]), size >= 0
        else { throw .foreign }
        let (name, prefix) = (Self.text(block[0..<100]), Self.text(block[Self.prefixField]))
        self.name = prefix.isEmpty ? name : "\(prefix)/\(name)"
        guard block[156] == UInt8(ascii: "0") || block[156] == 0 else {
            throw .unknownMember(self.name)
        }
        self.size = size
        time = Self.value(of: block[136..<148]) ?? 0
    }

    init(name: String, size: Int64, time: Int64) {
        (self.name, self.size, self.time) = (name, size, time)
    }

    /// The sum of all bytes, with spaces in place of the checksum.
    private static func checksum(of block: ArraySlice<UInt8>) -> Int64 {
        block.enumerated().reduce(0) { sum, element in
            sum + (checksumField.contains(element.offset) ? 0x20 : Int64(element.element))
        }
    }

    /// Twelve bytes: octal digits, or base 256 for a number that is too large for them.
    private static func number(_ value: Int64) -> [UInt8] {
        let digits = String(value, radix: 8)
        guard digits.count > 11 else {
            return Array((String(repeating: "0", count: 11 - digits.count) + digits).utf8) + [0]
        }
        return [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }

    /// The number in a field; nil when it is none.
    private static func value(of field: ArraySlice<UInt8>) -> Int64? {
        if field.first == 0x80 {
            guard field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
            let value = field.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return Int64(exactly: value)
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        return Int64(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }
}
