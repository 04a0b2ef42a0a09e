package import HealthModel
package import Workouts
import XML

/// Export and import of workout files.
package enum WorkoutFile {
    /// The maximum size of an imported file, in bytes: TCX of two days is smaller.
    package static let maximumFileSize = 64 << 20

    /// Encodes a workout as a file.
    ///
    /// - Parameters:
    ///   - recorder: The program that writes the file, with its version, for FIT and TCX.
    ///   - calendar: The local calendar, for the local time in FIT.
    /// - Throws: when the format cannot represent the workout.
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

    /// Decodes a FIT or TCX file, detected by its first bytes.
    ///
    /// - Parameters:
    ///   - person: The person of the workout.
    ///   - source: The source revision of its records.
    ///   - calendar: The local calendar, for times in TCX without a time zone.
    package static func read(
        _ bytes: [UInt8], person: String? = nil, source: SourceRevision? = nil,
        calendar: LocalCalendar = .utc
    ) throws(WorkoutFileError) -> ImportedWorkout {
        guard bytes.count <= maximumFileSize else { throw .tooLarge }
        if let person, !Person.isValidName(person) { throw .person }
        var draft: ImportDraft
        if FITReader.isFIT(bytes) {
            draft = try FITImport.draft(of: bytes)
        } else if XMLOpening(bytes) != nil, !ForeignFile.isWebPage(bytes) {
            draft = try TCXImport.draft(of: bytes, calendar: calendar)
        } else {
            throw .foreign(ForeignFile(bytes))
        }
        return try draft.finish(person: person, source: source)
    }
}
