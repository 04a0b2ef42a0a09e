import Glibc

/// Records as newline-terminated lines of JSON, the format of the journal.
///
/// The lines are split, counted and passed on without being decoded.
public struct RecordLines: Sendable, Equatable {
    /// The concatenated lines.
    public private(set) var bytes: [UInt8]
    /// The end of each line in ``bytes``, after its newline.
    private var ends: [Int]

    /// Splits bytes into lines; the last newline may be missing.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        ends = bytes.withUnsafeBytes(Self.ends)
    }

    /// Makes lines whose ends are known.
    package init(bytes: [UInt8], ends: [Int]) {
        self.bytes = bytes
        self.ends = ends
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
        return RecordLines(
            bytes: Array(bytes[start..<ends[range.upperBound - 1]]),
            ends: ends[range].map { $0 - start })
    }

    /// Returns the lines whose indexes satisfy a predicate.
    public func filter(_ isWanted: (Int) throws -> Bool) rethrows -> RecordLines {
        var kept = RecordLines(bytes: [], ends: [])
        for index in 0..<count where try isWanted(index) { kept.append(line: self[index]) }
        return kept
    }

    /// Appends other lines; the last line so far must have its newline.
    package mutating func append(_ lines: RecordLines) {
        let start = bytes.count
        bytes += lines.bytes
        for end in lines.ends { ends.append(start + end) }
    }

    /// Appends one line, with its newline.
    package mutating func append(line: ArraySlice<UInt8>) {
        bytes += line
        ends.append(bytes.count)
    }

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
