/// A file format for workouts.
package enum WorkoutFileFormat: String, Hashable, Sendable, CaseIterable {
    /// Garmin Flexible and Interoperable Data Transfer, the format that preserves the most data.
    case fit
    /// Garmin Training Center XML, version 2.
    case tcx
    /// Comma-separated values, with a row for each reading.
    case csv
    /// JSON, one object with all data.
    case json
    /// GPS Exchange Format: a list of positions, which workouts do not have.
    case gpx

    /// The name for users.
    package var name: String { rawValue.uppercased() }

    /// Creates the format of a file name extension; nil when it is unknown.
    package init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }
}
