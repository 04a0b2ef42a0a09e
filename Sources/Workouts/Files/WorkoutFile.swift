package import HealthModel

/// Workouts as files: the one way out and the one way in.
package enum WorkoutFile {
    /// The longest file that is read, in bytes: TCX of two days is shorter.
    package static let maximumFileSize = 64 << 20

    /// Returns the bytes of a file with a workout.
    ///
    /// - Parameters:
    ///   - recorder: The program that writes, with its version; FIT and TCX name it.
    ///   - calendar: The calendar of the place, of which FIT keeps the local time.
    /// - Throws: when the format cannot hold the workout.
    package static func export(
        _ recorded: RecordedWorkout, as format: WorkoutFileFormat, by recorder: SourceRevision,
        calendar: LocalCalendar = .utc
    ) throws(WorkoutFileError) -> [UInt8] {
        switch format {
        case .fit: try FITActivity(recorded, recorder: recorder, calendar: calendar).bytes()
        case .tcx: TCXWriter(recorded, recorder: recorder).bytes()
        case .csv: WorkoutCSV.bytes(recorded)
        case .json: WorkoutJSON.bytes(recorded)
        case .gpx: throw .noPositions
        }
    }

    /// Reads a workout from a FIT or TCX file, which its first bytes tell apart.
    ///
    /// - Parameters:
    ///   - person: Whose workout it is.
    ///   - source: What its records are said to come from.
    package static func read(
        _ bytes: [UInt8], person: String? = nil, source: SourceRevision? = nil
    ) throws(WorkoutFileError) -> ImportedWorkout {
        guard bytes.count <= maximumFileSize else { throw .tooLarge }
        if let person, !Person.isValidName(person) { throw .person }
        var draft: ImportDraft
        if FITReader.isFIT(bytes) {
            draft = try FITImport.draft(of: bytes)
        } else if XMLOpening(bytes) != nil {
            draft = try TCXImport.draft(of: bytes)
        } else {
            throw .unknownFormat
        }
        return try draft.finish(person: person, source: source)
    }
}
