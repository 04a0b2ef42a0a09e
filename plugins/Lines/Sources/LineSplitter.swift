/// The terminator of a line.
package enum LineTerminator: Sendable {
    /// A line feed, a carriage return, or both.
    case newline
    /// A semicolon; line feeds and carriage returns around it are ignored.
    case semicolon

    func ends(at byte: UInt8) -> Bool {
        switch self {
        case .newline: byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        case .semicolon: byte == UInt8(ascii: ";")
        }
    }
}

/// Splits a stream of bytes into lines.
///
/// A line within one piece is not copied. A line that is too long is reported once and skipped.
struct LineSplitter {
    /// The maximum length of a line without its terminator.
    static let lengthLimit = 256

    /// A piece of the stream.
    enum Piece {
        case line(ArraySlice<UInt8>)
        case tooLong
    }

    private let terminator: LineTerminator
    private var partial: [UInt8] = []
    private var isSkipping = false

    init(terminator: LineTerminator) {
        self.terminator = terminator
    }

    /// Discards an incomplete line, and optionally skips the next line.
    mutating func reset(skippingFirstLine: Bool) {
        partial.removeAll(keepingCapacity: true)
        isSkipping = skippingFirstLine
    }

    /// Adds bytes and passes every completed line except empty ones to `body`.
    mutating func split(_ bytes: [UInt8], _ body: (Piece) -> Void) {
        var start = 0
        for index in bytes.indices where terminator.ends(at: bytes[index]) {
            finish(bytes[start..<index], body)
            start = index + 1
        }
        bufferPartial(bytes[start...], body)
    }

    private mutating func finish(_ rest: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
        defer { partial.removeAll(keepingCapacity: true) }
        if isSkipping {
            isSkipping = false
        } else if partial.count + rest.count > Self.lengthLimit {
            body(.tooLong)
        } else if partial.isEmpty {
            if !rest.isEmpty { body(.line(rest)) }
        } else {
            partial += rest
            body(.line(partial[...]))
        }
    }

    private mutating func bufferPartial(_ rest: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
        guard !isSkipping else { return }
        partial += rest
        if partial.count > Self.lengthLimit {
            body(.tooLong)
            reset(skippingFirstLine: true)
        }
    }
}
