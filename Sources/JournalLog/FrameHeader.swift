import GatewayCore
import HealthModel

/// The first 64 bytes of a frame of the log; all numbers are little-endian.
///
///     offset  bytes
///          0      4  mark
///          4      4  checksum of the header from offset 8 on
///          8      4  length of the payload
///         12      4  checksum of the payload
///         16      8  number of the journal, random
///         24      8  number of the frame, ascending
///         32      4  kind
///         36      4  count: the number of records
///         40      8  place: the number of records published before
///         48      8  place: the bytes of lines before
///         56      8  place: the time of the commit, nanoseconds since 1970
struct FrameHeader: Equatable {
    /// The kinds of frames.
    enum Kind: UInt32 {
        /// The start of a segment: its number, its size, and the whole ledger.
        case segment = 1
        /// A batch of records with the counts of all records so far.
        case records = 2
        /// The whole ledger with the cursors of all sinks.
        case ledger = 3
        /// The end of a segment that has a successor.
        case end = 4
    }

    /// The length of a header in bytes.
    static let length = 64
    /// The first bytes of a frame; 0xFE is in no text in UTF-8, and so in no line.
    static let mark: [UInt8] = [0xFE, 0x50, 0x4C, 0x4A]
    /// The maximum length of a payload in bytes: a group of records, or one very long record.
    static let payloadLimit = 32 << 20
    /// The maximum number in a valid journal: sums of such numbers fit in an Int64.
    static let numberLimit: Int64 = 1 << 58

    var kind: Kind
    var journal: UInt64
    var number: UInt64
    var count: Int
    var place: JournalPlace
    var payloadLength = 0
    var payloadChecksum: UInt32 = 0

    /// The length of the frame in bytes.
    var frameLength: Int { Self.length + payloadLength }
    /// The number of records published after its last record.
    var end: Int64 { place.first + Int64(count) }

    /// Describes a frame without a payload.
    init(_ kind: Kind, journal: UInt64, number: UInt64, count: Int = 0, place: JournalPlace) {
        self.kind = kind
        self.journal = journal
        self.number = number
        self.count = count
        self.place = place
    }

    /// Reads the header at an offset; nil when there is none, or a changed one.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard offset >= 0, bytes.count - offset >= Self.length,
            bytes[offset] == Self.mark[0],
            bytes[offset..<(offset + 4)].elementsEqual(Self.mark)
        else { return nil }
        func read<Number: FixedWidthInteger>(_ place: Int) -> Number {
            Number(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Number.self))
        }
        let covered = UnsafeRawBufferPointer(rebasing: bytes[(offset + 8)..<(offset + Self.length)])
        guard read(4) as UInt32 == Checksum.crc32c(covered),
            let kind = Kind(rawValue: read(32))
        else { return nil }
        self.kind = kind
        journal = read(16)
        number = read(24)
        count = Int(read(36) as UInt32)
        place = JournalPlace(
            first: read(40), position: read(48),
            time: Instant(nanosecondsSince1970: read(56)))
        payloadLength = Int(read(8) as UInt32)
        payloadChecksum = read(12)
        guard payloadLength <= Self.payloadLimit, number <= UInt64(Self.numberLimit),
            (0...Self.numberLimit).contains(place.first),
            (0...Self.numberLimit).contains(place.position)
        else { return nil }
    }

    /// Writes the header over the first bytes of a frame, whose payload follows it.
    func write(to frame: UnsafeMutableRawBufferPointer) {
        func write<Number: FixedWidthInteger>(_ number: Number, _ place: Int) {
            frame.storeBytes(of: number.littleEndian, toByteOffset: place, as: Number.self)
        }
        for (index, byte) in Self.mark.enumerated() { frame[index] = byte }
        write(UInt32(payloadLength), 8)
        write(payloadChecksum, 12)
        write(journal, 16)
        write(number, 24)
        write(kind.rawValue, 32)
        write(UInt32(count), 36)
        write(place.first, 40)
        write(place.position, 48)
        write(place.time.nanosecondsSince1970, 56)
        let covered = UnsafeRawBufferPointer(rebasing: frame[8..<Self.length])
        write(Checksum.crc32c(covered), 4)
    }
}
