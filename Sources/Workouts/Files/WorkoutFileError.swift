package import HealthModel

/// A workout cannot be written to a file or read from one.
///
/// No message holds what was in the file, except the name of an encoding.
package enum WorkoutFileError: Error, Equatable, CustomStringConvertible {
    /// The format is a list of positions, and there are none.
    case noPositions
    /// FIT has no such times.
    case outsideTimes
    /// The file is in no format that is read.
    case unknownFormat
    /// The file is longer than any workout.
    case tooLarge
    /// The file has more of something than any workout has.
    case tooMany(String)
    /// The workout is longer than any.
    case tooLong
    /// The file is not what its format says it is.
    case damaged(String)
    /// The file is XML in an encoding that is not read.
    case encoding(String)
    /// The file is XML whose DOCTYPE contains declarations.
    case declarations
    /// A checksum does not fit.
    case checksum
    /// The file is in order and holds no workout.
    case noWorkout
    /// What the file tells makes no workout.
    case workout(WorkoutError)
    /// The name of the person is not valid.
    case person

    /// The message.
    package var description: String {
        switch self {
        case .noPositions:
            "GPX is a list of positions, and a workout here has none; write FIT or TCX"
        case .outsideTimes: "FIT only has times from 1998-07-04 to 2126-02-04; write TCX"
        case .unknownFormat: "the file is neither FIT nor TCX; export it as one of them"
        case .tooLarge:
            "the file has more than \(WorkoutFile.maximumFileSize >> 20) MiB; split it into workouts"
        case .tooMany(let what): "the file has too many \(what); split it into workouts"
        case .tooLong:
            "the workout in the file is longer than a week, or its times are wrong; mend them"
        case .damaged(let what): "the file is damaged: \(what); copy it from its source again"
        case .encoding(let name):
            "the file's encoding \(name) is not supported; convert the file to UTF-8"
        case .declarations:
            "the file's DOCTYPE contains declarations, which are not supported; remove the DOCTYPE"
        case .checksum: "the file is damaged: its checksum is wrong; copy it from its source again"
        case .noWorkout: "the file holds no workout; export the recorded activity"
        case .workout(let error): "the file makes no workout: \(error)"
        case .person: PersonError.name.description
        }
    }
}
