import Foundation
import Glibc

/// Measures the import of an Apple Health export of 1 GB, also when it is interrupted twice.
struct ResumeBenchmark: Benchmark {
    let name = "resume"
    let summary = "an export.xml of 1 GB, interrupted by SIGKILL and SIGINT, vs. uninterrupted"

    private static let fileBytes = 1_000_000_000
    private static let memoryGoal = 100.0

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let path = "\(context.folder)/export.xml"
        let export = GeneratedExport(bytes: Self.fileBytes)
        let size = try export.write(to: path)
        defer { unlink(path) }
        let whole = try InterruptedImport(
            of: path, in: "\(context.folder)/whole", by: context.command)
        let uninterrupted = try await whole.run()
        guard uninterrupted.output == Self.output(export.recordCount) else {
            throw BenchmarkError("the import printed: \(uninterrupted.output)")
        }
        guard whole.progress.contains(" records/s") else {
            throw BenchmarkError("the terminal shows no progress")
        }
        let parts = try InterruptedImport(
            of: path, in: "\(context.folder)/parts", by: context.command)
        try await parts.run(until: 30, signal: SIGKILL)
        try await parts.run(until: 60, signal: SIGINT)
        let rest = try await parts.run()
        guard rest.output.contains(" of the rest of the file, ") else {
            throw BenchmarkError("the import was not continued: \(rest.output)")
        }
        let exported = try whole.export()
        guard exported.lineCount == export.recordCount, try parts.export() == exported else {
            throw BenchmarkError("the interrupted import has stored other records")
        }
        return [
            Figure("file", "MB", Double(size) / 1e6),
            Figure("rate", "records/s", Double(export.recordCount) / uninterrupted.seconds),
            Figure("whole file", "s", uninterrupted.seconds),
            Figure("rest of 40 %", "s", rest.seconds),
            Figure(
                "memory", "MB", Double(max(whole.residentBytes, parts.residentBytes)) / 1e6,
                goal: .value(.atMost, Self.memoryGoal)),
        ]
    }

    private static func output(_ count: Int) -> String {
        "imported \(count) records, 0 were already in the store\n"
    }
}
