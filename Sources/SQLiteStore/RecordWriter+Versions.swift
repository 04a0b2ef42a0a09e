import HealthModel
import HealthStore
import SQLite

/// Records with a sync identifier, of which the one with the highest version is kept.
extension RecordWriter {
    /// Inserts a record that may have earlier versions, and removes these.
    func insert(_ record: Record, _ version: RecordVersion) throws -> SaveResult {
        guard let kind = RecordKind(record) else { return .deleted }
        guard try links.row(of: record.id, kind) == nil else { return .alreadyStored }
        let earlier = try versions.stored(version, kind)
        guard earlier.allSatisfy({ $0.number < version.number }) else { return .olderVersion }
        let result = try insertNew(record)
        guard result == .stored else { return result }
        try versions.note(version, of: record.id, kind)
        for old in earlier { try replace(old.id, by: record.id, kind) }
        return .stored
    }

    /// The stored sample that a member of a new correlation stands for, when it is a later version of it.
    private func later(than member: Correlation.Member) throws -> RecordID? {
        let record = member.record
        guard let version = RecordVersion(record), let kind = RecordKind(record),
            try links.row(of: record.id, kind) == nil
        else { return nil }
        let last = try versions.stored(version, kind).max { $0.number < $1.number }
        return last.flatMap { $0.number >= version.number ? $0.id : nil }
    }

    /// Whether a new correlation can have a member.
    func canLink(_ member: Correlation.Member, in correlation: Correlation) throws -> Bool {
        if let id = try later(than: member), let kind = RecordKind(member.record) {
            return correlation.hasPlace(for: id, kind)
        }
        return try links.canHave(member, of: correlation.person)
    }

    /// Inserts a member if it is new, and links it, or a later version of it, to the row of a correlation.
    func insert(_ member: Correlation.Member, to correlation: Int64) throws {
        let later = try later(than: member)
        if later == nil { _ = try insert(member.record) }
        guard let kind = RecordKind(member.record),
            let row = try links.row(of: later ?? member.id, kind)
        else { return }
        try links.link(row, kind, to: correlation)
    }

    // MARK: Replacing

    /// Removes an earlier version of a record; a later version of a sample takes its place in correlations.
    private func replace(_ earlier: RecordID, by later: RecordID, _ kind: RecordKind) throws {
        if kind == .sample || kind == .category {
            try moveLinks(from: earlier, to: later, kind)
        }
        guard let row = try links.row(of: earlier, kind) else { return }
        if kind == .correlation { return try removeCorrelation(row) }
        let type = try links.type(of: row, kind)
        try links.delete(row, kind)
        noteRemoved([MemberLinks.Member(kind: kind, type: type, id: earlier)])
    }

    private func moveLinks(
        from earlier: RecordID, to later: RecordID, _ kind: RecordKind
    ) throws {
        // A row has another number once the one at its home is removed.
        guard let row = try links.row(of: earlier, kind) else { return }
        for correlation in try links.correlations(of: row, kind) {
            guard let old = try links.row(of: earlier, kind),
                let new = try links.row(of: later, kind)
            else { return }
            if try links.hasPlace(for: later, kind, in: correlation) {
                try links.move(from: old, to: new, kind, in: correlation)
                changedCorrelations.insert(correlation)
            } else {
                try removeCorrelation(correlation)
            }
        }
    }

    private func removeCorrelation(_ row: Int64) throws {
        let removed = try links.members(removedWith: row)
        try links.delete(row, .correlation)
        changedCorrelations.remove(row)
        noteRemoved(removed)
    }

    private func noteRemoved(_ records: [MemberLinks.Member]) {
        removedSampleCount += records.count { $0.kind == .sample }
        noteReplaced(records)
    }

    /// Notes a record that is left out, with the members that are not stored: other sinks have got them.
    func noteOlder(_ record: Record) throws {
        try noteReplaced([member(record)])
        guard case .correlation(let correlation) = record else { return }
        try noteReplaced(correlation.samples.map { try member($0.record) })
    }

    private func member(_ record: Record) throws -> MemberLinks.Member {
        let kind = RecordKind(record) ?? .sample
        let type = try kind.hasType ? record.typeName.map(otherTypes.row) : nil
        return MemberLinks.Member(kind: kind, type: type ?? 0, id: record.id)
    }

    private func noteReplaced(_ records: [MemberLinks.Member]) {
        for record in records {
            let key = ChangeLog.Replaced(kind: record.kind, type: record.type)
            replaced[key, default: []].append(record.id)
        }
    }
}
