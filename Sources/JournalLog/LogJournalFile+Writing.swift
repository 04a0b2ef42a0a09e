import GatewayCore
import Platform

extension LogJournalFile {
    /// Writes a batch and the changed ledger.
    func write(
        _ batch: RecordLines, at place: JournalPlace, _ ledger: Ledger, withSinks: Bool
    ) throws(LogError) {
        let offset = try append { () throws(LogError) in
            let header = header(.records, at: place, count: batch.count)
            var parts = try FrameCoding.parts(ledger.ingest, batch, header, path: folder.path)
            guard withSinks else { return parts }
            let after = JournalPlace(
                first: header.end, position: place.position + Int64(batch.bytes.count),
                time: place.time)
            parts.append(try frame(.ledger(ledger), self.header(.ledger, at: after)))
            return parts
        }
        note(batch, at: place, offset: offset)
        commit(ledger)
    }

    /// Writes frames at the end of the current segment, or of a new one.
    ///
    /// - Parameter frames: Makes their parts; again when a segment is started, whose first frame has
    ///   the ledger before them: of two ledgers the one with the higher number is the newer one.
    /// - Returns: The offset of the first frame.
    private func append(_ frames: () throws(LogError) -> [[UInt8]]) throws(LogError) -> Int {
        var parts = try frames()
        let count = parts.reduce(0) { $0 + $1.count }
        if current?.fits(count) != true {
            try startSegment(holding: count)
            parts = try frames()
        }
        guard let offset = try current?.append(parts, sync: durability == .powerLoss) else {
            throw LogError(path: folder.path, problem: .full)
        }
        return offset
    }

    private func frame(
        _ content: FrameContent, _ header: FrameHeader
    ) throws(LogError) -> [UInt8] {
        var frame: [UInt8] = []
        try FrameCoding.append(content, header, to: &frame, path: folder.path)
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
        do throws(LogError) {
            _ = try append { () throws(LogError) in
                [try frame(.ledger(ledger), header(.ledger, at: next))]
            }
        } catch {
            guard error.isFull, current != nil else { throw error }
            try current?.writeLedger(
                frame(.ledger(ledger), header(.ledger, at: next)), sync: durability == .powerLoss)
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
        var head = SegmentHead(segment: number, size: 0)
        let length = try frame(.segment(head, committed), header(.segment, at: next)).count
        head.size = max(sizes.segment, length + count + 2 * LogSizes.ledgerPlace)
        let frame = try frame(.segment(head, committed), header(.segment, at: next))
        let made = try makeSegment(number, size: head.size, frame)
        endCurrent()
        current = made
        lastName = number
        files.add(made.file, of: number)
        segments.append(
            Segment(name: number, place: next, size: head.size, used: frame.count, isNew: true))
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
        guard let frame = try? frame(.end, header(.end, at: next)) else { return }
        WritableSegment(segment, file: file).end(with: frame)
        segments[index].size = file.size
    }

    /// Ends the current segment, to which nothing is written any more.
    private func endCurrent() {
        guard let current, let index = segments.indices.last,
            segments[index].name == current.name
        else { return }
        guard !current.hasFailed, let frame = try? frame(.end, header(.end, at: next))
        else { return }
        current.end(with: frame)
        segments[index].size = current.file.size
    }

    /// Writes the ledger to its own place, so that what is cut off the end of the frames is noticed.
    package func close() {
        guard current != nil else { return }
        do throws(LogError) {
            try current?.writeLedger(
                frame(.ledger(committed), header(.ledger, at: next)),
                sync: durability == .powerLoss)
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
