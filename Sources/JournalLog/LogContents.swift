import GatewayCore
import HealthModel

/// What a folder of segments contains, as far as it can be read.
struct LogContents {
    /// The number of the journal; nil when there is no readable segment.
    private(set) var journal: UInt64?
    /// The segments of this journal in their order.
    private(set) var segments: [Segment] = []
    /// The names of segments that belong to another journal, or of which nothing can be read.
    private(set) var foreign: [UInt64] = []
    /// The names of segments to which nothing was written before the last run ended.
    private(set) var unused: [UInt64] = []
    /// The committed ledger; without a whole one it has no sinks.
    private(set) var ledger = Ledger()
    /// Whether a whole ledger was found, or there is no segment.
    private(set) var hasLedger = true
    /// The place of the next batch.
    private(set) var end = JournalPlace(
        first: 0, position: 0, time: SegmentScan.unknownTime)
    /// The highest number of a frame.
    private(set) var lastNumber: UInt64 = 0
    /// What is wrong; empty when nothing is.
    private(set) var problems: [String] = []
    /// The number of pending records that are known to be missing.
    private(set) var missing: Int64 = 0
    /// Whether the number of missing records is known.
    private(set) var isMissingKnown = true
    /// Whether the newest segment may be written to: its frames end where its intact ones do.
    private(set) var isNewestIntact = false

    /// Reads the heads of all segments, and the newest ones until the ledger is found.
    init(_ folder: LogFolder) throws(LogError) {
        let heads = try Self.heads(folder)
        let unreadable = try setLargeAside(Self.unreadable(folder, heads), folder)
        guard let newest = heads.max(by: { $0.head.segment < $1.head.segment }) else {
            // Without any head the frames of all segments are all there is.
            if !unreadable.isEmpty { try read(folder, [], unreadable: unreadable) }
            return
        }
        journal = newest.journal
        let own = heads.filter { $0.journal == newest.journal }
        let others = heads.filter { $0.journal != newest.journal }.map(\.name)
        foreign += others
        if !others.isEmpty { problems.append("\(others.count) segments of another journal") }
        try read(folder, own, unreadable: unreadable)
    }

    /// A segment whose first frame is intact.
    private struct Head {
        var name: UInt64
        var head: SegmentHead
        var journal: UInt64
        var place: JournalPlace
        var size: Int
        var number: UInt64
    }

    private static func heads(_ folder: LogFolder) throws(LogError) -> [Head] {
        var heads: [Head] = []
        for name in try folder.segments() {
            guard let file = try SegmentFile.open(LogFolder.name(of: name), in: folder)
            else { continue }
            let size = min(file.size, Segment.sizeLimit)
            var reader = FrameReader(file, journal: nil, to: size)
            guard case .frame(let header, 0)? = try reader.next(), header.kind == .segment,
                case .segment(let head, _)? = FrameCoding.content(
                    of: header, reader.copy(reader.payload(of: header, at: 0)))
            else { continue }
            guard head.version <= SegmentHead.version else {
                throw LogError(path: file.path, problem: .newerVersion(head.version))
            }
            heads.append(
                Head(
                    name: name, head: head, journal: header.journal, place: header.place,
                    size: size, number: header.number))
        }
        return heads
    }

    /// Finds the files that are no segments by their size, which are not read; returns the other ones.
    private mutating func setLargeAside(
        _ names: [UInt64], _ folder: LogFolder
    ) throws(LogError) -> [UInt64] {
        var others: [UInt64] = []
        for name in names {
            let file = try SegmentFile.open(LogFolder.name(of: name), in: folder)
            let isLarge = file.map { $0.size > Segment.sizeLimit } ?? false
            if isLarge { foreign.append(name) } else { others.append(name) }
        }
        if !foreign.isEmpty { problems.append("\(foreign.count) files larger than a segment") }
        return others
    }

    private static func unreadable(
        _ folder: LogFolder, _ heads: [Head]
    ) throws(LogError) -> [UInt64] {
        let readable = Set(heads.map(\.name))
        return try folder.segments().filter { !readable.contains($0) }
    }
}

extension LogContents {
    private mutating func read(
        _ folder: LogFolder, _ heads: [Head], unreadable: [UInt64]
    ) throws(LogError) {
        var scans: [UInt64: SegmentScan] = [:]
        var order = heads.map { (number: $0.head.segment, name: $0.name) }
        for name in unreadable.reversed() {
            scans[name] = try scan(name, folder)
            journal = journal ?? scans[name]?.journal
            order.append((Self.number(of: scans[name], name, among: heads), name))
        }
        order.sort { $0 < $1 }
        let byName = Dictionary(heads.map { ($0.name, $0) }) { first, _ in first }
        var found: SegmentScan?
        for (_, name) in order.reversed() where found == nil {
            if scans[name] == nil { scans[name] = try scan(name, folder) }
            if scans[name]?.ledger != nil { found = scans[name] }
        }
        setAside(&scans, newest: order.last?.name)
        order.removeAll { unused.contains($0.name) }
        arrange(order.map(\.name), byName, scans)
        conclude(order.map(\.name), scans, found)
        placeHeadless(scans)
        try countMissing(order, folder, scans)
    }

    /// The number of a segment without a head, after the segments whose frames are older.
    private static func number(
        of scan: SegmentScan?, _ name: UInt64, among heads: [Head]
    ) -> UInt64 {
        guard let first = scan?.firstNumber, !heads.isEmpty else { return name }
        let older = heads.filter { $0.number < first }.map(\.head.segment)
        return older.max().map { $0 + 1 } ?? 0
    }

    private func scan(_ name: UInt64, _ folder: LogFolder) throws(LogError) -> SegmentScan? {
        guard let file = try SegmentFile.open(LogFolder.name(of: name), in: folder)
        else { return nil }
        return try SegmentScan(file, name: name, journal: journal)
    }

    /// Finds the segments of which nothing can be read.
    ///
    /// The newest one was not used when there is nothing in it: otherwise the frame at the end of the
    /// segment before it says so.
    private mutating func setAside(_ scans: inout [UInt64: SegmentScan], newest: UInt64?) {
        for (name, scan) in scans where scan.journal == nil {
            guard name == newest, !scan.isDamaged else {
                foreign.append(name)
                continue
            }
            unused.append(name)
            scans[name] = nil
        }
    }

    /// Makes the list of segments.
    private mutating func arrange(
        _ names: [UInt64], _ heads: [UInt64: Head], _ scans: [UInt64: SegmentScan]
    ) {
        for name in names {
            if let scan = scans[name] {
                // A segment of which nothing can be read has no place in the order of records.
                guard scan.journal != nil else { continue }
                segments.append(scan.segment)
            } else if let head = heads[name] {
                segments.append(
                    Segment(name: name, place: head.place, size: head.size, used: head.size))
            }
        }
    }

    /// Makes the ledger of the newest intact frames.
    private mutating func conclude(
        _ names: [UInt64], _ scans: [UInt64: SegmentScan], _ found: SegmentScan?
    ) {
        lastNumber = scans.values.map(\.lastNumber).max() ?? 0
        hasLedger = found != nil
        ledger = found?.ledger?.ledger ?? Ledger()
        let ingest = scans.values.compactMap(\.ingest).max { $0.number < $1.number }
        if let ingest, ingest.ingest.isPlausible,
            ingest.ingest.published >= ledger.ingest.published
        {
            ledger.ingest = ingest.ingest
        }
        if let end = scans.values.compactMap(\.end).max(by: { $0.number < $1.number }) {
            self.end = end.place
        }
        // Damaged frames were published too.
        let unaccounted = max(end.first - ledger.ingest.published, 0)
        ledger.ingest.published += unaccounted
        ledger.ingest.converted += unaccounted
        end.first = ledger.ingest.published
        if let newest = names.last.flatMap({ scans[$0] }) {
            isNewestIntact = newest.head != nil && !newest.isDamaged && !newest.hasSuccessor
            if newest.hasSuccessor {
                problems.append("the newest segment is missing")
                isMissingKnown = false
            }
        }
        if scans.values.contains(where: { $0.head == nil }) {
            problems.append("the start of a segment is damaged")
        }
        if scans.values.contains(where: \.isDamaged) {
            problems.append("a segment is damaged")
        }
        if scans.values.contains(where: { $0.hasUnknownDamage || $0.journal == nil }) {
            isMissingKnown = false
        }
        if !hasLedger { isMissingKnown = false }
    }

    /// Gives segments without a head the place behind them, which is never too early: what is before the
    /// place of a segment is in the segments before it.
    private mutating func placeHeadless(_ scans: [UInt64: SegmentScan]) {
        var following = end
        for index in segments.indices.reversed() {
            if let scan = scans[segments[index].name], scan.head == nil {
                segments[index].place = following
            }
            following = segments[index].place
        }
    }

    /// Counts the records that a sink still needs and that cannot be read.
    private mutating func countMissing(
        _ order: [(number: UInt64, name: UInt64)], _ folder: LogFolder,
        _ scans: [UInt64: SegmentScan]
    ) throws(LogError) {
        guard hasLedger, let first = segments.first else { return }
        let isComplete =
            first.place.first <= ledger.minimumCursor
            && zip(order, order.dropFirst()).allSatisfy { $1.number <= $0.number + 1 }
        guard !isComplete || !problems.isEmpty else { return }
        // As a sink reads them: in the order of the segments, each up to the place of the next one.
        var cursor = ledger.minimumCursor
        for (index, segment) in segments.enumerated() {
            let isLast = index + 1 == segments.count
            let end = isLast ? end.first : segments[index + 1].place.first
            let scan =
                if let known = scans[segment.name] { known } else {
                    try self.scan(segment.name, folder)
                }
            for range in scan?.ranges ?? [] where range.lowerBound < end {
                missing += max(range.lowerBound - cursor, 0)
                cursor = max(cursor, min(range.upperBound, end))
            }
        }
        missing += max(ledger.ingest.published - cursor, 0)
        if missing > 0, problems.isEmpty { problems.append("a segment is missing") }
    }
}
