import ByteDecoding
import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform
import WorkoutFiles
import Workouts

extension RequestHandler {
    /// `workoutFile`: answered with the facts of a file, then with its content in base 64.
    static func workoutFile(_ limiter: RequestLimiter) -> RequestHandler {
        RequestHandler("workoutFile", for: .everyone) { request, service, channel in
            let object = try request.parameters.object(keys: ["id", "format"])
            let id = try object.require("id").recordID()
            let format = try object.require("format")
                .choice(of: WorkoutDownload.formats.map(\.rawValue))
            try service.check(channel.client, reads: .workout)
            try await limiter.run(channel) {
                guard let shown = try await ShownWorkout(id, service, for: channel.client) else {
                    return channel.send(ShownWorkout.notFound)
                }
                let file = try WorkoutDownload(shown, WorkoutFileFormat(rawValue: format) ?? .json)
                try await file.send(on: channel)
            }
            return nil
        }
    }
}

/// The file of a stored workout.
struct WorkoutDownload {
    /// The formats; GPX has positions, which workouts do not have.
    static let formats = WorkoutFileFormat.allCases.filter { $0 != .gpx }
    /// The maximum size in bytes.
    static let maximumSize = WorkoutFile.maximumFileSize
    /// The number of bytes in a line, a multiple of 3.
    private static let pieceSize = 49_152

    let name: String
    let type: String
    let bytes: [UInt8]

    init(_ shown: ShownWorkout, _ format: WorkoutFileFormat) throws {
        let workout = shown.recorded.workout
        name = Self.name(workout, format, shown.calendar)
        type = format.mediaType
        bytes = try WorkoutFile.export(
            shown.recorded, as: format,
            by: SourceRevision(name: "Pulsegate", version: Version.current),
            calendar: shown.calendar)
        guard bytes.count <= Self.maximumSize else {
            throw HostError(
                .failure,
                "the file has more than \(Self.maximumSize) bytes; use `pulsegate workout export`")
        }
    }

    /// `2026-11-21-running.fit`, in ASCII.
    private static func name(
        _ workout: Workout, _ format: WorkoutFileFormat, _ calendar: LocalCalendar
    ) -> String {
        let activity = workout.activity.name.map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
        }
        return "\(calendar.date(at: workout.start))-\(String(activity)).\(format.rawValue)"
    }

    /// Sends the facts, then each piece when the client has read the last one.
    func send(on channel: any ResponseChannel) async throws {
        channel.send(
            JSONLine.make { json in
                json.object("file") { json in
                    json.field("name", name)
                    json.field("type", type)
                    json.field("bytes", Int64(bytes.count))
                }
            })
        for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
            let text = Base64.text(of: bytes[start...].prefix(Self.pieceSize))
            channel.send(JSONLine.make { $0.field("data", text) })
            try await channel.waitUntilWritten()
        }
    }
}

extension WorkoutFileFormat {
    /// The media type of a download.
    fileprivate var mediaType: String {
        switch self {
        case .fit: "application/vnd.ant.fit"
        case .tcx: "application/vnd.garmin.tcx+xml"
        case .gpx: "application/gpx+xml"
        case .csv: "text/csv; charset=utf-8"
        case .json: "application/json"
        }
    }
}
