/// Splits the bytes of a text file into rows, piece by piece.
///
/// A row ends with a newline, before which a carriage return is removed. Memory use does not depend on
/// the length of the file.
struct FileRows {
    /// The longest row, in bytes.
    static let maximumLength = 65_536

    /// A row of the file.
    enum Row: Equatable {
        case bytes([UInt8])
        /// The row is longer than ``FileRows/maximumLength``; it was skipped up to its line end.
        case tooLong
    }

    /// Whether a newline between quotation marks belongs to the row, as in CSV.
    private let hasQuotes: Bool
    private var bytes: [UInt8] = []
    /// The start of the next row in `bytes`.
    private var start = 0
    /// The end of what was searched for the end of the row.
    private var searched = 0
    private var isInQuotes = false
    private var isSkipping = false
    private var isLast = false
    private var removed: Int
    /// The number of lines before the next row.
    private(set) var lineCount: Int
    private var newLines = 0

    /// Starts at a place of the file, where a row starts.
    init(hasQuotes: Bool, offset: Int = 0, lineCount: Int = 0) {
        self.hasQuotes = hasQuotes
        removed = offset
        self.lineCount = lineCount
    }

    /// The number of bytes of the file before the next row.
    var offset: Int { removed + start }

    /// Adds the next piece of the file.
    mutating func append(_ piece: [UInt8], isLast: Bool) {
        bytes.removeFirst(start)
        removed += start
        searched -= start
        start = 0
        bytes += piece
        self.isLast = isLast
    }

    /// The next row with the number of its first line; nil at the end of the bytes so far.
    mutating func next() -> (row: Row, line: Int)? {
        while true {
            guard let end = findEnd() else { return rest() }
            let line = lineCount + 1
            let row = take(upTo: end, endingAt: end + 1)
            if isSkipping {
                isSkipping = false
                continue
            }
            return (row, line)
        }
    }

    /// The index of the newline that ends the row.
    private mutating func findEnd() -> Int? {
        while searched < bytes.count {
            let byte = bytes[searched]
            searched += 1
            if byte == UInt8(ascii: "\n") {
                newLines += 1
                if !isInQuotes { return searched - 1 }
            } else if hasQuotes, byte == UInt8(ascii: "\""), !isSkipping {
                isInQuotes.toggle()
            }
        }
        return nil
    }

    private mutating func take(upTo end: Int, endingAt next: Int) -> Row {
        let length = end - start
        let row = bytes[start..<end]
        start = next
        searched = next
        lineCount += newLines
        newLines = 0
        guard length <= Self.maximumLength else { return .tooLong }
        return .bytes(Array(row.last == UInt8(ascii: "\r") ? row.dropLast() : row))
    }

    /// What there is without a line end: the last row of the file, or the start of one that is too long.
    private mutating func rest() -> (row: Row, line: Int)? {
        let line = lineCount + 1
        if bytes.count - start > Self.maximumLength {
            // A quotation mark that is never closed must not take the rest of the file with it.
            isInQuotes = false
            let wasSkipping = isSkipping
            isSkipping = true
            _ = take(upTo: bytes.count, endingAt: bytes.count)
            return wasSkipping ? nil : (.tooLong, line)
        }
        guard isLast, start < bytes.count else { return nil }
        let row = take(upTo: bytes.count, endingAt: bytes.count)
        return isSkipping ? nil : (row, line)
    }
}
