package import HealthModel

extension Record {
    /// Whether this is a sample that replaces no other.
    package var isPlainSample: Bool {
        guard case .sample(let sample) = self else { return false }
        return sample.metadata.isEmpty || RecordVersion(self) == nil
    }
}

extension [Record] {
    /// Returns samples in the order of their ids, which begin with the time, as those of the rows do.
    ///
    /// So they fill a page after the other. An interval arrives when it is over, after what began meanwhile: in
    /// this order it would split pages. A batch with other records stays as it is.
    package func inOrderOfRows() -> [Record] {
        guard allSatisfy(\.isPlainSample),
            zip(self, dropFirst()).contains(where: { $0.id > $1.id })
        else { return self }
        return sorted { $0.id < $1.id }
    }
}
