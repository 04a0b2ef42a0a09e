import Glibc

/// Records as lines of JSON, each with its newline: as they stand in the journal and leave it.
///
/// Lines that lie here are looked at only where somebody wants their values; they are cut, counted and
/// passed on as they are.
public struct RecordLines: Sendable, Equatable {
    /// The lines, one behind the other.
    public let bytes: [UInt8]
    /// Where each line ends in ``bytes``, behind its newline.
    private let ends: [Int]

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
        var kept: [UInt8] = []
        var keptEnds: [Int] = []
        for index in 0..<count where try isWanted(index) {
            kept += self[index]
            keptEnds.append(kept.count)
        }
        return RecordLines(bytes: kept, ends: keptEnds)
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
