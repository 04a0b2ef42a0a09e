/// Splits a stream of bytes at delimiters, however the bytes arrive.
///
/// Lines end at a line feed or a carriage return, COBS packets at 0, SLIP packets at 0xC0. A piece within
/// one chunk of input is handed on without a copy; a piece over the limit is reported once and skipped
/// up to its end; empty pieces are left out.
public struct DelimitedSplitter: Sendable {
    /// A piece of the stream.
    public enum Piece: Hashable, Sendable {
        /// The bytes between two delimiters.
        case bytes(ArraySlice<UInt8>)
        /// A piece was longer than the limit.
        case tooLong
    }

    /// The longest piece, in bytes without its delimiter.
    public let lengthLimit: Int
    @usableFromInline let delimiter: UInt8
    @usableFromInline let alternative: UInt8
    @usableFromInline var partial: [UInt8] = []
    @usableFromInline var isSkipping = false

    /// Makes a splitter; bytes equal to `delimiter`, or to `alternative` where there is one, end a piece.
    public init(
        delimiter: UInt8, alternative: UInt8? = nil, lengthLimit: Int = 1_024
    ) {
        self.delimiter = delimiter
        self.alternative = alternative ?? delimiter
        self.lengthLimit = lengthLimit
    }

    /// A splitter of lines that end with a line feed, a carriage return or both.
    public static func lines(lengthLimit: Int = 1_024) -> DelimitedSplitter {
        DelimitedSplitter(
            delimiter: UInt8(ascii: "\n"), alternative: UInt8(ascii: "\r"), lengthLimit: lengthLimit
        )
    }

    /// Discards the beginning of a piece; with `skippingFirst` also the rest of it, up to its delimiter.
    ///
    /// The first bytes of a port that was just opened are usually the end of a line.
    @inlinable
    public mutating func reset(skippingFirst: Bool = false) {
        partial.removeAll(keepingCapacity: true)
        isSkipping = skippingFirst
    }

    /// Adds bytes and hands on every piece that they complete.
    @inlinable
    public mutating func split(_ bytes: [UInt8], _ body: (Piece) -> Void) {
        var start = 0
        for index in bytes.indices
        where bytes[index] == delimiter || bytes[index] == alternative {
            finish(bytes[start..<index], body)
            start = index + 1
        }
        hold(bytes[start...], body)
    }

    @inlinable
    mutating func finish(_ rest: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
        defer { partial.removeAll(keepingCapacity: true) }
        if isSkipping {
            isSkipping = false
        } else if partial.count + rest.count > lengthLimit {
            body(.tooLong)
        } else if partial.isEmpty {
            if !rest.isEmpty { body(.bytes(rest)) }
        } else {
            partial += rest
            body(.bytes(partial[...]))
        }
    }

    @inlinable
    mutating func hold(_ rest: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
        guard !isSkipping else { return }
        guard partial.count + rest.count <= lengthLimit else {
            body(.tooLong)
            reset(skippingFirst: true)
            return
        }
        partial += rest
    }
}
