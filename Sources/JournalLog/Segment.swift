import GatewayCore

/// A segment of the log, and where its frames are.
struct Segment {
    /// A place at which a search may begin.
    struct Mark {
        var place: JournalPlace
        var offset: Int
    }

    /// The number of bytes between two marks, so that a full journal needs little memory.
    private static let markBytes = 64 << 10

    /// The size in bytes that no segment exceeds: that of a ledger and a batch, each with the largest payload.
    static let sizeLimit = 2 * FrameHeader.payloadLimit

    /// The number in the name of its file.
    let name: UInt64
    /// The place of its first batch, as its first frame says.
    var place: JournalPlace
    /// The size of its file in bytes.
    var size: Int
    /// The end of its frames.
    var used: Int
    /// Marks in the order of their offsets; nil when the segment was not read yet.
    private(set) var marks: [Mark]?

    /// Describes a segment; a new one has marks from its first batch on.
    init(name: UInt64, place: JournalPlace, size: Int, used: Int, isNew: Bool = false) {
        self.name = name
        self.place = place
        self.size = size
        self.used = used
        marks = isNew ? [] : nil
    }

    /// Notes a batch at an offset.
    mutating func note(_ place: JournalPlace, at offset: Int) {
        guard let last = marks?.last else {
            marks = [Mark(place: place, offset: offset)]
            return
        }
        if offset >= last.offset + Self.markBytes {
            marks?.append(Mark(place: place, offset: offset))
        }
    }

    /// Notes that the segment has no batch, as far as can be read.
    mutating func noteEmpty() { marks = marks ?? [] }

    /// The offset of the last mark before the record after a cursor.
    func offset(after cursor: Int64) -> Int {
        marks?.last { $0.place.first <= cursor }?.offset ?? 0
    }

    /// The offset from which the first batch within a bound is searched.
    ///
    /// Blocks between two marks are left out only when every batch in them is out of the bound.
    func offset(after cursor: Int64, within bound: JournalBound) -> Int {
        guard let marks, !marks.isEmpty else { return 0 }
        var index = marks.lastIndex { $0.place.first <= cursor } ?? 0
        while index + 1 < marks.count,
            bound.excludes(from: marks[index].place, to: marks[index + 1].place)
        { index += 1 }
        return marks[index].offset
    }
}

extension JournalBound {
    /// Whether it admits no batch between two places; position and time never decrease.
    func excludes(from first: JournalPlace, to last: JournalPlace) -> Bool {
        last.position < position || (first.time >= unknownBefore && last.time < time)
    }
}
