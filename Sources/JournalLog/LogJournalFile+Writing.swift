import GatewayCore
import Platform

extension LogJournalFile {
    /// Writes a batch and the changed ledger.
    func write(
        _ batch: RecordLines, at place: JournalPlace, _ ledger: Ledger, withSinks: Bool
    ) throws(LogError) {
        var parts = try frames(batch, at: place, ledger, withSinks: withSinks)
        let count = parts.reduce(0) { $0 + $1.count }
        if current?.fits(count) != true {
            try startSegment(holding: count)
            // Their numbers must be higher than that of the first frame, whose ledger is older.
            parts = try frames(batch, at: place, ledger, withSinks: withSinks)
        }
        guard let offset = try current?.append(parts, sync: durability == .powerLoss) else {
            throw LogError(path: folder.path, problem: .full)
        }
        note(batch, at: place, offset: offset)
        commit(ledger)
    }

    /// The frames of a batch and, if that has changed, of the whole ledger.
    private func frames(
        _ batch: RecordLines, at place: JournalPlace, _ ledger: Ledger, withSinks: Bool
    ) throws(LogError) -> [[UInt8]] {
        let header = header(.records, at: place, count: batch.count)
        let parts = try FrameCoding.parts(ledger.ingest, batch, header, path: folder.path)
        guard withSinks else { return parts }
        let after = JournalPlace(
            first: header.end, position: place.position + Int64(batch.bytes.count),
            time: place.time)
        return parts + [try frame(of: ledger, at: after)]
    }

    private func frame(of ledger: Ledger, at place: JournalPlace) throws(LogError) -> [UInt8] {
        var frame: [UInt8] = []
        try FrameCoding.append(
            .ledger(ledger), header(.ledger, at: place), to: &frame, path: folder.path)
        return frame
    }

    private func note(_ batch: RecordLines, at place: JournalPlace, offset: Int) {
        if !segments.isEmpty {
            segments[segments.count - 1].note(place, at: offset)
            segments[segments.count - 1].used = current?.offset ?? 0
        }
        next = JournalPlace(
            first: place.first + Int64(batch.count),
            position: place.position + Int64(batch.bytes.count), time: place.time)
    }

    private func commit(_ ledger: Ledger) {
        committed = ledger
        removeDelivered()
    }

    /// Writes the ledger alone; on a full disk to its own place in the newest segment.
    func writeLedger(_ ledger: Ledger) throws(LogError) {
        var frame = try frame(of: ledger, at: next)
        let sync = durability == .powerLoss
        do throws(LogError) {
            if current?.fits(frame.count) != true {
                try startSegment(holding: frame.count)
                frame = try self.frame(of: ledger, at: next)
            }
            _ = try current?.append([frame], sync: sync)
        } catch {
            guard error.isFull, current != nil else { throw error }
            try current?.writeLedger(frame, sync: sync)
        }
        commit(ledger)
    }

    private func header(
        _ kind: FrameHeader.Kind, at place: JournalPlace, count: Int = 0
    ) -> FrameHeader {
        defer { nextFrame += 1 }
        return FrameHeader(kind, journal: journal, number: nextFrame, count: count, place: place)
    }

    /// Makes the next segment, with the ledger in its first frame, and ends the current one.
    ///
    /// - Parameter count: The bytes of the frames that it must hold beside that.
    func startSegment(holding count: Int) throws(LogError) {
        let number = max(lastName, segments.map(\.name).max() ?? 0) + 1
        var frame: [UInt8] = []
        let head = SegmentHead(segment: number, size: 0)
        try FrameCoding.append(
            .segment(head, committed), header(.segment, at: next), to: &frame, path: folder.path)
        let needed = frame.count + count + 2 * LogSizes.ledgerPlace
        let size = max(sizes.segment, needed)
        frame.removeAll(keepingCapacity: true)
        try FrameCoding.append(
            .segment(SegmentHead(segment: number, size: size), committed),
            header(.segment, at: next), to: &frame, path: folder.path)
        let made = try makeSegment(number, size: size, frame)
        endCurrent()
        current = made
        lastName = number
        files.add(made.file, of: number)
        segments.append(
            Segment(name: number, place: next, size: size, used: frame.count, isNew: true))
        removeDelivered()
    }

    /// Makes a segment with its first frame; when there is no space, the sinks get the reserve.
    private func makeSegment(
        _ number: UInt64, size: Int, _ frame: [UInt8]
    ) throws(LogError) -> WritableSegment {
        let name = LogFolder.name(of: number)
        do throws(LogError) {
            try reserve.allocate(in: folder)
            let file = try SegmentFile.create(name, in: folder, size: size)
            var made = WritableSegment(name: number, file: file, size: size)
            do throws(LogError) {
                _ = try made.append([frame], sync: false)
                try syncNew(made)
            } catch {
                folder.remove(name)
                throw error
            }
            return made
        } catch {
            if error.isFull { reserve.release(in: folder) }
            throw error
        }
    }

    /// Writes a new segment to the disk: always where commits are, else now and then, so that after a
    /// loss of power there is a ledger.
    private func syncNew(_ made: WritableSegment) throws(LogError) {
        let now = clock.now()
        let isDue = lastSync.map { now.seconds(since: $0) >= Self.syncIntervalSeconds } ?? true
        guard durability == .powerLoss || isDue else { return }
        try made.file.sync()
        folder.sync()
        lastSync = now
        lastSynced = made.name
    }

    /// Ends the newest segment of the last run, so that its unused blocks are free.
    func endSegment(_ segment: Segment) {
        let name = LogFolder.name(of: segment.name)
        guard let index = segments.firstIndex(where: { $0.name == segment.name }),
            let file = try? SegmentFile.open(name, in: folder, forWriting: true)
        else { return }
        let writable = WritableSegment(segment, file: file)
        var frame: [UInt8] = []
        guard
            (try? FrameCoding.append(
                .end, header(.end, at: next), to: &frame, path: folder.path)) != nil
        else { return }
        writable.end(with: frame)
        segments[index].size = file.size
    }

    /// Ends the current segment, to which nothing is written any more.
    private func endCurrent() {
        guard let current, let index = segments.indices.last,
            segments[index].name == current.name
        else { return }
        var frame: [UInt8] = []
        guard !current.hasFailed,
            (try? FrameCoding.append(
                .end, header(.end, at: next), to: &frame, path: folder.path)) != nil
        else { return }
        current.end(with: frame)
        segments[index].size = current.file.size
    }

    /// Writes the ledger to its own place, so that what is cut off the end of the frames is noticed.
    package func close() {
        guard current != nil else { return }
        var frame: [UInt8] = []
        do throws(LogError) {
            try FrameCoding.append(
                .ledger(committed), header(.ledger, at: next), to: &frame, path: folder.path)
            try current?.writeLedger(frame, sync: durability == .powerLoss)
        } catch {
            // Everything is in the frames.
        }
    }

    /// Removes the segments that no sink needs.
    func removeDelivered() {
        let cursor = committed.removableCursor
        var count = 0
        while count + 1 < segments.count, segments[count + 1].place.first <= cursor { count += 1 }
        guard count > 0 else { return }
        let removed = segments[..<count].filter { $0.name != lastSynced }
        for segment in removed {
            folder.remove(LogFolder.name(of: segment.name))
            files.remove(segment.name)
        }
        let names = Set(removed.map(\.name))
        segments.removeAll { names.contains($0.name) }
    }
}
