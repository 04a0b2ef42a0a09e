import Foundation
import GatewayCore
import HealthModel
import Platform

/// Measures the memory and the rate of `pulsegate import` for a large file of each format.
struct ImportBenchmark: Benchmark {
    let name = "import"
    let summary = "a million records from export.xml, ndjson and CSV, and a day of TCX"

    private static let recordCount = 1_000_000
    private static let pointCount = 86_400
    /// The samples of a point: heart rate, speed, cadence, distance.
    private static let samplesPerPoint = 4
    private static let pieceSize = 10_000
    private static let memoryGoal = 100.0
    private static let start = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)

    /// A generated file: its start, its rows and its end.
    private struct File {
        let name: String
        var head = ""
        var tail = ""
        var rowCount = recordCount
        let row: (_ number: Int, _ time: String) -> String
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        var figures: [Figure] = []
        for file in Self.files {
            let folder = "\(context.folder)/import-\(file.name)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let path = "\(folder)/\(file.name)"
            try Self.write(file, to: path)
            let result = try await Self.measureImport(of: path, in: folder, by: context.command)
            let isWorkout = file.name.hasSuffix(".tcx")
            let count = isWorkout ? file.rowCount * Self.samplesPerPoint : file.rowCount
            figures += [
                Figure(
                    "\(file.name) memory", "MB", result.megabytes,
                    goal: .value(.atMost, Self.memoryGoal)),
                Figure("\(file.name) rate", "records/s", Double(count) / result.seconds),
            ]
        }
        return figures
    }

    // MARK: The import

    /// Imports a file into a new data directory; returns the time and the largest resident memory.
    private static func measureImport(
        of path: String, in folder: String, by command: String
    ) async throws -> (seconds: Double, megabytes: Double) {
        try "{ dataDirectory: \"\(folder)/data\" }".write(
            toFile: "\(folder)/pulsegate.json5", atomically: false, encoding: .utf8)
        let clock = SystemClock()
        let began = clock.now()
        let process = try MeasuredProcess(
            [command, "import", path, "--config", "\(folder)/pulsegate.json5"],
            output: "\(folder)/output", error: "\(folder)/error")
        var bytes = 0
        while process.isRunning {
            bytes = max(bytes, (try? process.facts.largestResidentBytes()) ?? 0)
            try await clock.sleep(seconds: 0.01)
        }
        let seconds = Double(clock.now().nanoseconds(since: began)) / 1e9
        let output = try String(contentsOfFile: "\(folder)/output", encoding: .utf8)
        guard output.hasPrefix("imported ") else {
            let error = try String(contentsOfFile: "\(folder)/error", encoding: .utf8)
            throw BenchmarkError("the import failed: \(error)")
        }
        return (seconds, Double(bytes) / 1e6)
    }

    // MARK: The files

    private static func write(_ file: File, to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: Data(file.head.utf8)),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkError("cannot write \(path)") }
        defer { try? handle.close() }
        try handle.seekToEnd()
        for first in stride(from: 0, to: file.rowCount, by: pieceSize) {
            let rows = (first..<min(first + pieceSize, file.rowCount)).map { number in
                let time = start.adding(nanoseconds: Int64(number) * 1_000_000_000)
                return file.row(number, "\(time.description.prefix(19))")
            }
            try handle.write(contentsOf: Data(rows.joined().utf8))
        }
        try handle.write(contentsOf: Data(file.tail.utf8))
    }

    private static var files: [File] {
        [
            File(
                name: "export.xml", head: "<HealthData>\n", tail: "</HealthData>\n",
                row: { number, time in
                    let moment = time.replacing("T", with: " ") + " +0000"
                    return """
                         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" \
                        unit="count/min" startDate="\(moment)" endDate="\(moment)" \
                        value="\(60 + number % 80)"/>

                        """
                }),
            File(name: "records.ndjson") { number, time in
                """
                {"type":"heartRate","start":"\(time)Z","end":"\(time)Z",\
                "value":\(60 + number % 80),"unit":"count/min"}

                """
            },
            File(name: "samples.csv", head: "type,start,value,unit\n") { number, time in
                "heartRate,\(time)Z,\(60 + number % 80),count/min\n"
            },
            File(
                name: "day.tcx",
                head: """
                    <TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap \
                    StartTime="\(start)"><TotalTimeSeconds>\(pointCount - 1)</TotalTimeSeconds><Track>

                    """,
                tail: "</Track></Lap></Activity></Activities></TrainingCenterDatabase>\n",
                rowCount: pointCount,
                row: { number, time in
                    """
                    <Trackpoint><Time>\(time)Z</Time><DistanceMeters>\(number * 3)\
                    </DistanceMeters><HeartRateBpm><Value>\(100 + number % 80)</Value>\
                    </HeartRateBpm><Extensions><TPX><Speed>3</Speed><RunCadence>80</RunCadence>\
                    </TPX></Extensions></Trackpoint>

                    """
                }),
        ]
    }
}
