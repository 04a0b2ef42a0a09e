import GatewayCore

/// The pending records of a journal with which another journal ends already.
///
/// Every record has an id, so two lines are the same only when they are the same record.
struct JournalOverlap {
    /// The number of records; they are the first pending ones.
    private(set) var count = 0

    /// Compares the pending records of a journal with the end of another one.
    init(of source: any JournalFile, with target: any JournalFile) throws {
        let cursor = try source.ledger().minimumCursor
        var pending = PendingLines(of: source, after: cursor)
        guard let first = try pending.next(),
            let start = try Self.cursor(before: first, in: target)
        else { return }
        pending = PendingLines(of: source, after: cursor)
        var present = PendingLines(of: target, after: start)
        var count = 0
        while let line = try present.next() {
            guard line == (try pending.next()) else { return }
            count += 1
        }
        self.count = count
    }

    /// The cursor before the last record with this line; nil when there is none.
    private static func cursor(
        before line: ArraySlice<UInt8>, in file: any JournalFile
    ) throws -> Int64? {
        var lines = PendingLines(of: file, after: 0)
        var found: Int64?
        while let next = try lines.next() {
            if next == line { found = lines.cursor - 1 }
        }
        return found
    }
}

/// The lines of a journal after a cursor, one after the other; lost ones are left out.
private struct PendingLines {
    /// The number of records that are read at once.
    private static let readLimit = JournalReadLimit(count: 1_000, bytes: 1 << 20)

    private let file: any JournalFile
    private var slice: JournalSlice
    private var index = 0

    init(of file: any JournalFile, after cursor: Int64) {
        self.file = file
        slice = JournalSlice(start: cursor, end: cursor, lines: RecordLines([]))
    }

    /// The cursor after the last line.
    var cursor: Int64 { slice.start + Int64(index) }

    mutating func next() throws -> ArraySlice<UInt8>? {
        while index >= slice.lines.count {
            guard let following = try file.read(after: slice.end, limit: Self.readLimit)
            else { return nil }
            slice = following
            index = 0
        }
        index += 1
        return slice.lines[index - 1]
    }
}
