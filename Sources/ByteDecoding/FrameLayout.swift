/// How frames of a byte stream look: where they start and end, how long they are, what checks them.
///
/// A Zephyr HxM packet, for example: 02 26 37, 55 bytes, a CRC-8 of these, 03.
///
/// ```swift
/// let layout = FrameLayout(
///     start: [0x02, 0x26, 0x37], length: .fixed(60), end: [0x03],
///     check: .crc(.crc8Maxim, from: 3))
/// ```
public struct FrameLayout: Sendable {
    /// How long a frame is, in bytes from its first start byte to its last end byte.
    public enum Length: Sendable {
        /// Every frame has this many bytes.
        case fixed(Int)
        /// A field of 1, 2 or 4 bytes at an offset from the start says it, plus `adding` bytes that the
        /// field does not count.
        case field(at: Int, byteCount: Int = 1, adding: Int, order: ByteOrder = .little)
    }

    /// What checks the bytes from an offset up to the check itself, which stands before the end bytes.
    public enum Check: Sendable {
        /// A CRC, in bytes of this order.
        case crc(CRC, from: Int, order: ByteOrder = .little)
        /// The exclusive or of the bytes, 1 byte.
        case xor(from: Int)
        /// The sum of the bytes modulo 256, 1 byte.
        case sum(from: Int)

        var byteCount: Int {
            if case .crc(let crc, _, _) = self { (crc.width + 7) / 8 } else { 1 }
        }

        var firstOffset: Int {
            switch self {
            case .crc(_, let offset, _), .xor(let offset), .sum(let offset): offset
            }
        }

        /// The bytes that a frame with these covered bytes must have here.
        func bytes(of covered: ArraySlice<UInt8>) -> [UInt8] {
            switch self {
            case .crc(let crc, _, let order):
                let value = crc.checksum(covered)
                let little = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
                return order == .little ? little : little.reversed()
            case .xor: return [covered.reduce(0, ^)]
            case .sum: return [covered.reduce(0, &+)]
            }
        }
    }

    /// The bytes that every frame starts with.
    public let start: [UInt8]
    /// The bytes that every frame ends with.
    public let end: [UInt8]
    /// How long a frame is.
    public let length: Length
    /// What checks a frame, nil for nothing.
    public let check: Check?
    /// The longest frame, in bytes; a length field that says more is not one of a frame.
    public let lengthLimit: Int

    /// Makes a layout.
    public init(
        start: [UInt8], length: Length, end: [UInt8] = [], check: Check? = nil,
        lengthLimit: Int = 1_024
    ) {
        self.start = start
        self.length = length
        self.end = end
        self.check = check
        self.lengthLimit = lengthLimit
    }

    /// What the bytes from here on are.
    enum Match: Equatable {
        /// A whole frame of this many bytes.
        case frame(Int)
        /// Not a frame.
        case mismatch
        /// Perhaps the beginning of a frame.
        case incomplete
    }

    /// Compares bytes with the layout.
    func match(_ bytes: ArraySlice<UInt8>) -> Match {
        guard zip(bytes, start).allSatisfy(==) else { return .mismatch }
        guard bytes.count >= start.count else { return .incomplete }
        switch frameLength(bytes) {
        case .none: return .incomplete
        case .some(let length):
            guard (minimumLength...max(lengthLimit, minimumLength)).contains(length) else {
                return .mismatch
            }
            guard bytes.count >= length else { return .incomplete }
            return isWhole(bytes.prefix(length)) ? .frame(length) : .mismatch
        }
    }

    /// The least number of bytes that holds start, check and end.
    private var minimumLength: Int {
        max(start.count, check?.firstOffset ?? 0, 1) + (check?.byteCount ?? 0) + end.count
    }

    /// The length that the bytes announce; nil while the length field has not arrived.
    private func frameLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        switch length {
        case .fixed(let length): return length
        case .field(let offset, let byteCount, let adding, let order):
            var reader = ByteReader(
                Array(bytes.prefix(max(offset + byteCount, 0))), order: order)
            // A field that no frame within the limit can have is one of no frame.
            guard offset >= 0, offset + byteCount <= lengthLimit else { return 0 }
            guard (try? reader.skip(offset)) != nil,
                let value = try? reader.unsigned(byteCount: min(max(byteCount, 1), 4))
            else { return nil }
            return Int(value) + adding
        }
    }

    private func isWhole(_ frame: ArraySlice<UInt8>) -> Bool {
        let body = frame.dropLast(end.count)
        guard frame.suffix(end.count).elementsEqual(end) else { return false }
        guard let check else { return true }
        let covered = body.dropLast(check.byteCount).dropFirst(max(check.firstOffset, 0))
        return body.suffix(check.byteCount).elementsEqual(check.bytes(of: covered))
    }
}
