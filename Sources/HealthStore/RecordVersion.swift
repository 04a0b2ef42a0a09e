package import HealthModel

/// A version of a record that its source saves again: its sync identifier and its sync version.
///
/// Of the versions with one key a store keeps the highest.
package struct RecordVersion: Hashable, Sendable {
    /// What the versions of a record have in common.
    package struct Key: Hashable, Sendable {
        let kind: RecordKind
        let type: String
        let person: String?
        // As bytes, which a file compares.
        let source: [UInt8]?
        package let identifier: [UInt8]
    }

    package let key: Key
    package let number: Double

    /// Makes the version of a record; nil for one that no later version replaces.
    package init?(_ record: Record) {
        switch record {
        case .sample(let sample):
            guard !sample.metadata.isEmpty else { return nil }
            self.init(
                .sample, sample.type.name, sample.person, sample.source?.name, sample.metadata)
        case .category(let sample):
            self.init(
                .category, sample.type.name, sample.person, sample.source?.name, sample.metadata)
        case .correlation(let correlation):
            self.init(
                .correlation, correlation.type.name, correlation.person,
                correlation.source?.name, correlation.metadata)
        case .workout(let workout):
            self.init(
                .workout, RecordType.workout.name, workout.person, workout.source?.name,
                workout.metadata, id: workout.id)
        case .event, .deletion: return nil
        }
    }

    /// Makes a version from the parts of a record.
    ///
    /// - Parameters:
    ///   - source: The name of the source: its versions may differ.
    ///   - id: The id of a workout: without a sync identifier, it identifies the later versions too.
    package init?(
        _ kind: RecordKind, _ type: String, _ person: String?, _ source: String?,
        _ metadata: Metadata, id: RecordID? = nil
    ) {
        guard let identifier = metadata[.syncIdentifier] ?? id?.description,
            let version = metadata[.syncVersion] ?? (id == nil ? nil : 0)
        else { return nil }
        key = Key(
            kind: kind, type: type, person: person, source: source.map { Array($0.utf8) },
            identifier: Array(identifier.utf8))
        number = version
    }
}

extension Correlation {
    /// Whether another sample, with this id, can take the place of a member.
    package func hasPlace(for id: RecordID, _ kind: RecordKind) -> Bool {
        id != self.id
            && !samples.contains { $0.id == id && RecordKind($0.record) != kind }
    }
}
