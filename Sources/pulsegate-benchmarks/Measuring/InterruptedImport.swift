import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import Platform

/// Imports a file at a terminal into a new data directory, and can interrupt it.
final class InterruptedImport {
    /// The largest resident memory so far, in bytes.
    private(set) var residentBytes = 0
    /// The last state of the progress line.
    private(set) var progress = ""
    private let words: [String]
    private let folder: String
    private let command: String

    init(of path: String, in folder: String, by command: String) throws {
        self.folder = folder
        self.command = command
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "{ dataDirectory: \"\(folder)/data\" }".write(
            toFile: "\(folder)/pulsegate.json5", atomically: false, encoding: .utf8)
        words = [command, "import", path, "--config", "\(folder)/pulsegate.json5"]
    }

    /// Runs the import until its progress line shows a share of the file, and sends it a signal then.
    func run(until percent: Int, signal: Int32) async throws {
        let (process, terminal) = try start()
        while await step(process, terminal) {
            if shownPercent ?? 0 >= percent {
                return try process.stop(with: signal)
            }
        }
        throw BenchmarkError("the import ended before it could be interrupted: \(try output())")
    }

    /// Runs the import to its end and returns its seconds and what it has printed.
    func run() async throws -> (seconds: Double, output: String) {
        let began = Meter.wallSeconds
        let (process, terminal) = try start()
        while await step(process, terminal) {}
        return (Meter.wallSeconds - began, try output())
    }

    /// An export of all records: the number of its lines, and a checksum (FNV-1a).
    struct Export: Equatable {
        fileprivate(set) var lineCount = 0
        fileprivate(set) var checksum: UInt64 = 0xcbf2_9ce4_8422_2325
    }

    /// Exports all records as ndjson.
    func export() throws -> Export {
        let path = "\(folder)/export.ndjson"
        let process = try MeasuredProcess(
            [
                command, "export", "-", "--format", "ndjson", "--config",
                "\(folder)/pulsegate.json5",
            ],
            output: path, error: "\(folder)/error")
        _ = try process.waitForEnd()
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw BenchmarkError("cannot read \(path)")
        }
        var export = Export()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            for byte in piece {
                export.checksum = (export.checksum ^ UInt64(byte)) &* 0x100_0000_01b3
                if byte == UInt8(ascii: "\n") { export.lineCount += 1 }
            }
        }
        return export
    }

    private func start() throws -> (MeasuredProcess, Descriptor) {
        let terminal = try Descriptor.makeTerminal()
        _ = fcntl(terminal.read.number, F_SETFL, O_NONBLOCK)
        progress = ""
        let process = try MeasuredProcess(
            words, output: "\(folder)/output",
            error: "/proc/self/fd/\(terminal.write.number)")
        return (process, terminal.read)
    }

    /// Waits a moment, reads what the terminal shows; false when the import has ended.
    private func step(_ process: MeasuredProcess, _ terminal: Descriptor) async -> Bool {
        try? await SystemClock().sleep(seconds: 0.01)
        if let bytes = terminal.read() {
            progress = String((progress + String(decoding: bytes, as: UTF8.self)).suffix(400))
        }
        residentBytes = max(residentBytes, (try? process.facts.largestResidentBytes()) ?? 0)
        return process.isRunning
    }

    /// The share of the file that the progress line shows.
    private var shownPercent: Int? {
        progress.components(separatedBy: " % of ").dropLast().last.flatMap { text in
            Int(String(text.reversed().prefix { $0.isNumber }.reversed()))
        }
    }

    private func output() throws -> String {
        try String(contentsOfFile: "\(folder)/output", encoding: .utf8)
    }
}
