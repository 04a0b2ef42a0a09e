package import HealthModel
import XML

/// The reason why a workout file was not written or read.
///
/// No message contains data of the file, except the name of an encoding.
package enum WorkoutFileError: Error, Equatable, CustomStringConvertible {
    /// The format is a list of positions, and workouts have none.
    case noPositions
    /// The workout is outside the time range of FIT.
    case timesOutOfRange
    /// The file is neither FIT nor TCX.
    case foreign(ForeignFile)
    /// The file is larger than a number of bytes.
    case tooLarge(Int)
    /// The file has too many elements of a kind.
    case tooMany(String)
    /// The XML file exceeds a limit of the reader; of what, and in which line.
    case unsupportedXML(String, line: Int?)
    /// The workout is too long.
    case tooLong
    /// The file does not follow its format.
    case corrupt(String)
    /// The XML file has an unsupported encoding.
    case encoding(String)
    /// The DOCTYPE of the XML file contains declarations.
    case declarations
    /// A checksum does not match.
    case checksum
    /// The file is valid but contains no workout.
    case noWorkout
    /// The times of the file count from the start of a device, and it has no date.
    case noDate
    /// The content of the file is not a valid workout.
    case workout(WorkoutError)
    /// The person name is not valid.
    case person

    /// The message.
    package var description: String {
        switch self {
        case .noPositions:
            "GPX requires positions, and workouts have none; use FIT or TCX"
        case .timesOutOfRange: "FIT supports times from 1998-07-04 to 2126-02-04; use TCX"
        case .foreign(let file): "the file \(file.problem); \(file.advice)"
        case .tooLarge(let size):
            "the file is larger than \(size >> 20) MiB; split it into workouts"
        case .tooMany(let what): "the file has too many \(what); split it into workouts"
        case .unsupportedXML(let what, let line):
            "\(line.map { "line \($0): " } ?? "")\(what) are not supported; remove them in an editor, "
                + "or export the workout as FIT"
        case .tooLong:
            "the workout is longer than a week; fix its times, or split it into workouts"
        case .corrupt(let what):
            "the file is corrupt: \(what); copy or export it from its source again"
        case .encoding(let name):
            "the file's encoding \(name) is not supported; convert the file and its XML declaration "
                + "to UTF-8"
        case .declarations:
            "the file's DOCTYPE contains declarations, which are not supported; remove the DOCTYPE"
        case .checksum: "the file is corrupt: checksum mismatch; copy it from its source again"
        case .noWorkout: "the file contains no workout; export a recorded activity"
        case .noDate:
            "the clock of the device was not set, so the times in the file have no date; "
                + "export the workout as TCX from a program that knows it"
        case .workout(let error):
            "the file is not a valid workout: \(error); change it in a program that edits workouts, "
                + "and export it again"
        case .person: PersonError.name.description
        }
    }
}

extension WorkoutFileError {
    /// The error of a file whose XML was not read.
    init(_ error: XMLError, of bytes: [UInt8]) {
        self =
            switch error {
            case .notXML: .foreign(ForeignFile(bytes))
            case .corrupt(let what): .corrupt(what)
            case .unsupported(let what, let line): .unsupportedXML(what, line: line)
            case .encoding(let name): .encoding(name)
            case .declarations: .declarations
            }
    }
}
