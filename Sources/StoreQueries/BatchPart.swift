package import HealthModel

/// Records and deletions of a batch that follow each other.
package enum BatchPart {
    case records([Record])
    case deletions([DeletedRecord])
}

extension [Record] {
    /// The records and the deletions, in order; nearly always there are no deletions.
    package func splitAtDeletions() -> [BatchPart] {
        guard contains(where: \.isDeletion) else { return [.records(self)] }
        var parts: [BatchPart] = []
        var rest = self[...]
        while !rest.isEmpty {
            let records = rest.prefix { !$0.isDeletion }
            if !records.isEmpty { parts.append(.records(Array(records))) }
            rest = rest.dropFirst(records.count)
            let deleted = rest.prefix(while: \.isDeletion).compactMap(\.deletion)
            if !deleted.isEmpty { parts.append(.deletions(deleted)) }
            rest = rest.dropFirst(deleted.count)
        }
        return parts
    }
}

extension Record {
    fileprivate var deletion: DeletedRecord? {
        if case .deletion(let deleted) = self { deleted } else { nil }
    }

    fileprivate var isDeletion: Bool {
        if case .deletion = self { true } else { false }
    }
}
