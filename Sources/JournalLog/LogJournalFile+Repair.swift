package import GatewayCore
import Glibc
import Platform

extension LogJournalFile {
    /// Checks the paths of the open segments, unless that was done a moment ago.
    func checkLocationPeriodically() throws(LogError) {
        guard location.isDue(at: clock.now()) else { return }
        try check()
    }

    package func checkLocation() throws { try check() }

    private func check() throws(LogError) {
        guard files.areInPlace(in: folder) else {
            throw LogError(path: folder.path, problem: .moved)
        }
        location.noteCheck(at: clock.now())
    }

    /// Continues at the path after the folder or a segment was removed or moved.
    ///
    /// Segments that were moved with the folder are moved back; those that were removed are written
    /// again as long as they are open.
    package func repair(keeping ledger: Ledger) throws -> JournalDamage? {
        try prepareFolder()
        let folder = try LogFolder(path: self.folder.path)
        var kept: [Segment] = []
        var missing: Int64 = 0
        for (index, segment) in segments.enumerated() {
            guard try restore(segment, to: folder) else {
                let end = index + 1 < segments.count ? segments[index + 1].place.first : next.first
                missing += max(end - max(segment.place.first, ledger.minimumCursor), 0)
                continue
            }
            kept.append(segment)
        }
        self.folder = folder
        segments = kept
        current = nil
        reserve = LogReserve(size: sizes.reserve, in: folder)
        committed = ledger
        next.first = ledger.ingest.published
        lastSync = nil
        try startSegment(holding: 0)
        location.noteCheck(at: clock.now())
        return JournalDamage(
            problem: "the journal was removed, moved or replaced while in use", movedTo: nil,
            kept: ledger.ingest.published - ledger.minimumCursor - missing, missing: missing,
            keepsLedger: true)
    }

    /// Brings a segment to the folder at the path, in whatever state that is; false when it is lost.
    private func restore(_ segment: Segment, to target: LogFolder) throws(LogError) -> Bool {
        let name = LogFolder.name(of: segment.name)
        guard let file = files.openFile(of: segment.name) else {
            let isThere = try SegmentFile.open(name, in: target) != nil
            return isThere || folder.move(name, to: target)
        }
        if file.isAt(name, in: target) { return true }
        target.remove(name)
        if folder.move(name, to: target), file.isAt(name, in: target) { return true }
        target.remove(name)
        let bytes = try file.read(segment.used, at: 0)
        let copy = try SegmentFile.create(name, in: target, size: segment.size)
        try copy.write(bytes, at: 0)
        try copy.sync()
        files.add(copy, of: segment.name)
        return true
    }
}
