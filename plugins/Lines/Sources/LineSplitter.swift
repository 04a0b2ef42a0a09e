/// What ends a line.
package enum LineTerminator: Sendable {
    /// A line feed, a carriage return, or both.
    case newline
    /// A semicolon; line feeds and carriage returns around it are blanks.
    case semicolon

    func ends(at byte: UInt8) -> Bool {
        switch self {
        case .newline: byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        case .semicolon: byte == UInt8(ascii: ";")
        }
    }
}

/// Cuts a stream of bytes into lines, however the bytes are dealt out.
///
/// A line within one piece is handed on without a copy. A line that is too long is reported once, and
/// skipped up to its end.
struct LineSplitter {
    /// The longest line, without its terminator.
    static let lengthLimit = 256

    /// What was found.
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

    /// Forgets the beginning of a line, and perhaps does not trust the next one either.
    mutating func reset(skippingFirstLine: Bool) {
        partial.removeAll(keepingCapacity: true)
        isSkipping = skippingFirstLine
    }

    /// Takes bytes and hands on every line that they complete, empty ones left out.
    mutating func split(_ bytes: [UInt8], _ body: (Piece) -> Void) {
        var start = 0
        for index in bytes.indices where terminator.ends(at: bytes[index]) {
            finish(bytes[start..<index], body)
            start = index + 1
        }
        keep(bytes[start...], body)
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

    private mutating func keep(_ rest: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
        guard !isSkipping else { return }
        partial += rest
        if partial.count > Self.lengthLimit {
            body(.tooLong)
            reset(skippingFirstLine: true)
        }
    }
}
