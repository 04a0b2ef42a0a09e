import Glibc
public import HealthModel

/// Records as newline-terminated lines of JSON, the format of the journal.
///
/// The lines are split, counted and passed on without being decoded. Those that were published a
/// moment ago bring their records with them, so that a sink need not decode what was just encoded.
public struct RecordLines: Sendable, Equatable {
    /// The concatenated lines.
    public private(set) var bytes: [UInt8]
    /// The end of each line in ``bytes``, after its newline.
    private var ends: [Int]
    /// The records of all lines, or none.
    private var chunks = RecordChunks()

    /// Splits bytes into lines; the last newline may be missing.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        ends = bytes.withUnsafeBytes(Self.ends)
    }

    /// Makes lines whose ends are known.
    ///
    /// - Parameter records: The records of all lines, or none.
    package init(bytes: [UInt8], ends: [Int], records: [Record] = []) {
        self.bytes = bytes
        self.ends = ends
        chunks = RecordChunks(records)
    }

    /// Whether the lines are the same; whether their records are known makes no difference.
    public static func == (first: RecordLines, second: RecordLines) -> Bool {
        first.bytes == second.bytes && first.ends == second.ends
    }

    /// Concatenates lines.
    package init(joining parts: [RecordLines]) {
        guard parts.count != 1 else {
            self = parts[0]
            return
        }
        var lines = RecordLines(bytes: [], ends: [])
        lines.reserve(
            records: parts.reduce(0) { $0 + $1.count },
            bytes: parts.reduce(0) { $0 + $1.bytes.count })
        for part in parts { lines.append(part) }
        self = lines
    }

    /// The number of lines.
    public var count: Int { ends.count }

    /// Whether there is none.
    public var isEmpty: Bool { ends.isEmpty }

    /// The line at an index, with its newline.
    public subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    /// The lines in a range of indexes.
    public subscript(range: Range<Int>) -> RecordLines {
        guard !range.isEmpty else { return RecordLines([]) }
        let start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
        var part = RecordLines(
            bytes: Array(bytes[start..<ends[range.upperBound - 1]]),
            ends: ends[range].map { $0 - start })
        if hasRecords { part.chunks = chunks[range] }
        return part
    }

    /// Returns the lines whose indexes satisfy a predicate.
    public func filter(_ isWanted: (Int) throws -> Bool) rethrows -> RecordLines {
        var kept = RecordLines(bytes: [], ends: [])
        for index in 0..<count where try isWanted(index) { kept.append(self, at: index) }
        return kept
    }

    /// Appends other lines; the last line so far must have its newline.
    package mutating func append(_ lines: RecordLines) {
        if hasRecords, lines.hasRecords { chunks.append(lines.chunks) } else { forgetRecords() }
        let start = bytes.count
        bytes += lines.bytes
        for end in lines.ends { ends.append(start + end) }
    }

    /// Appends one of other lines; the last line so far must have its newline.
    package mutating func append(_ lines: RecordLines, at index: Int) {
        if hasRecords, lines.hasRecords {
            chunks.append(lines.chunks, index..<(index + 1))
        } else {
            forgetRecords()
        }
        bytes += lines[index]
        ends.append(bytes.count)
    }

    private var hasRecords: Bool { chunks.count == count }

    /// The records of the lines in their order; nil when they must be decoded.
    public var records: [Record]? { hasRecords ? chunks.joined : nil }

    /// Makes one array of the records, so that all who ask for them share it.
    package mutating func joinRecords() { if hasRecords { chunks = RecordChunks(chunks.joined) } }

    /// The memory that the lines and their records need, in bytes.
    var footprint: Int { bytes.count + chunks.count * MemoryLayout<Record>.stride }

    /// Gives the records up, so that they need no memory.
    package mutating func forgetRecords() { chunks = RecordChunks() }

    mutating func reserve(records count: Int, bytes byteCount: Int) {
        ends.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// Returns the number of leading lines within limits of count and bytes; at least one, if not
    /// empty.
    package func prefix(count limit: Int, bytes byteLimit: Int64) -> Int {
        let limit = min(limit, count)
        if limit == 0 || Int64(ends[limit - 1]) <= byteLimit { return limit }
        var low = 1
        var high = limit
        while low < high {
            let middle = (low + high + 1) / 2
            if Int64(ends[middle - 1]) <= byteLimit { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private static func ends(_ bytes: UnsafeRawBufferPointer) -> [Int] {
        guard let base = bytes.baseAddress else { return [] }
        var ends: [Int] = []
        var start = 0
        while start < bytes.count {
            let newline = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            start = newline.map { base.distance(to: UnsafeRawPointer($0)) + 1 } ?? bytes.count
            ends.append(start)
        }
        return ends
    }
}
