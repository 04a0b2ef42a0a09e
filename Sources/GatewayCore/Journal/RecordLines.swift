import Glibc

/// Records as lines of JSON, each with its newline: as they stand in the journal and leave it.
///
/// Lines that lie here are looked at only where somebody wants their values; they are cut, counted and
/// passed on as they are.
public struct RecordLines: Sendable, Equatable {
    /// The lines, one behind the other.
    public private(set) var bytes: [UInt8]
    /// Where each line ends in ``bytes``, behind its newline.
    private var ends: [Int]

    /// Finds the lines in their bytes; the last one may do without its newline.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        ends = bytes.withUnsafeBytes(Self.ends)
    }

    /// Takes lines whose ends are known.
    init(bytes: [UInt8], ends: [Int]) {
        self.bytes = bytes
        self.ends = ends
    }

    /// Puts lines behind each other.
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

    /// How many lines there are.
    public var count: Int { ends.count }

    /// Whether there is none.
    public var isEmpty: Bool { ends.isEmpty }

    /// The line at a place, counted from 0, with its newline.
    public subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    /// Some of the lines that follow each other.
    public subscript(range: Range<Int>) -> RecordLines {
        guard !range.isEmpty else { return RecordLines([]) }
        let start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
        return RecordLines(
            bytes: Array(bytes[start..<ends[range.upperBound - 1]]),
            ends: ends[range].map { $0 - start })
    }

    /// Those lines, by their places, that somebody wants.
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

    /// Appends one line as it stands, with its newline.
    mutating func append(line: ArraySlice<UInt8>) {
        bytes += line
        ends.append(bytes.count)
    }

    mutating func reserve(records count: Int, bytes byteCount: Int) {
        ends.reserveCapacity(count)
        bytes.reserveCapacity(byteCount)
    }

    /// How many lines there are up to a number of records and of bytes; at least one, where there is one.
    func prefix(count limit: Int, bytes byteLimit: Int64) -> Int {
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
