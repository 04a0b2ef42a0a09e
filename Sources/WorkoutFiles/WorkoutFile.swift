package import HealthModel
package import Workouts
import XML

/// Export and import of workout files.
package enum WorkoutFile {
    /// The maximum size of an imported file, in bytes: TCX of two days is smaller.
    package static let maximumFileSize = 64 << 20
    /// The maximum size of an imported FIT file, in bytes, which is in memory as a whole: a week with
    /// 50 bytes each second is smaller.
    package static let maximumFITSize = 32 << 20

    /// Whether a file that starts with these bytes is FIT or TCX.
    package static func isWorkout(_ start: [UInt8]) -> Bool {
        FITReader.isFIT(start) || XMLRoot.name(start) == TCXImport.root
    }

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
        var decoder = try WorkoutFileDecoder(bytes, isLast: true, calendar: calendar)
        return try decoder.finish(person: person, source: source)
    }
}
