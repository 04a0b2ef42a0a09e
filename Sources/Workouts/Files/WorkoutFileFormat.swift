/// A kind of file that a workout can be written to.
package enum WorkoutFileFormat: String, Hashable, Sendable, CaseIterable {
    /// Garmin's Flexible and Interoperable Data Transfer: the one that keeps the most.
    case fit
    /// Garmin's Training Center XML, version 2.
    case tcx
    /// A row for each reading.
    case csv
    /// One object with everything.
    case json
    /// GPS Exchange Format: a list of positions, which a workout here does not have.
    case gpx

    /// What users call it.
    package var name: String { rawValue.uppercased() }

    /// The format that the end of a file's name tells; nil when it tells none.
    package init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }
}
