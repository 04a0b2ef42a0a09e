/// Splits the bytes of a text file into rows, piece by piece.
///
/// A row ends with a newline, before which a carriage return is removed. In CSV, it may end with a
/// carriage return alone. Memory use does not depend on the length of the file.
struct FileRows {
    /// The longest row, in bytes.
    static let maximumLength = 65_536

    /// A row of the file.
    enum Row: Equatable {
        case bytes([UInt8])
        /// The row is longer than ``FileRows/maximumLength``; it was skipped up to its line end.
        case tooLong
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let newline = UInt8(ascii: "\n")

    /// Whether a line end between quotation marks belongs to the row, and a carriage return is a line
    /// end, as in CSV.
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
            let row = take(upTo: end, endingAt: searched)
            if isSkipping {
                isSkipping = false
                continue
            }
            return (row, line)
        }
    }

    /// The index of the line end of the row, which is searched up to the next row.
    private mutating func findEnd() -> Int? {
        while searched < bytes.count {
            let byte = bytes[searched]
            if byte == Self.newline || hasQuotes && byte == Self.carriageReturn {
                guard let length = lineEndLength() else { return nil }
                newLines += 1
                searched += length
                if !isInQuotes { return searched - length }
            } else {
                searched += 1
                if hasQuotes, byte == UInt8(ascii: "\""), !isSkipping { isInQuotes.toggle() }
            }
        }
        return nil
    }

    /// The length of a line end; nil when the next piece of the file may start with the rest of it.
    private func lineEndLength() -> Int? {
        guard bytes[searched] == Self.carriageReturn else { return 1 }
        guard searched + 1 < bytes.count else { return isLast ? 1 : nil }
        return bytes[searched + 1] == Self.newline ? 2 : 1
    }

    private mutating func take(upTo end: Int, endingAt next: Int) -> Row {
        let length = end - start
        let row = bytes[start..<end]
        start = next
        searched = next
        lineCount += newLines
        newLines = 0
        guard length <= Self.maximumLength else { return .tooLong }
        return .bytes(Array(row.last == Self.carriageReturn ? row.dropLast() : row))
    }

    /// What there is without a line end: the last row of the file, or the start of one that is too long.
    private mutating func rest() -> (row: Row, line: Int)? {
        let line = lineCount + 1
        if searched - start > Self.maximumLength {
            // A quotation mark that is never closed must not take the rest of the file with it.
            isInQuotes = false
            let wasSkipping = isSkipping
            isSkipping = true
            _ = take(upTo: searched, endingAt: searched)
            return wasSkipping ? nil : (.tooLong, line)
        }
        guard isLast, start < bytes.count else { return nil }
        let row = take(upTo: bytes.count, endingAt: bytes.count)
        return isSkipping ? nil : (row, line)
    }
}
