import Foundation
import GatewayCore
import Platform

/// Measures pulsegate and compares it with bare references.
@main
struct Main {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            if words.count == 2, words[0] == BareNotifications.argument {
                try BareNotifications.run(words[1])
            }
            if words.first == StoreReader.argument {
                return try await StoreReader.run(Array(words.dropFirst()))
            }
            let options = try Options(words)
            guard !options.showsHelp else { return print(Options.help) }
            try requireReleaseBuild()
            // Tasks run on the executor that the gateway uses.
            let pool = TaskPool(name: "pool")
            let isComplete = try await withTaskExecutorPreference(pool) { try await run(options) }
            if !isComplete { exit(1) }
        } catch {
            FileHandle.standardError.write(Data("pulsegate-benchmarks: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func requireReleaseBuild() throws {
        #if DEBUG
            throw BenchmarkError(
                "cannot measure a debug build; run `swift run -c release pulsegate-benchmarks`")
        #endif
    }

    /// Runs the selected benchmarks; false when one has failed.
    private static func run(_ options: Options) async throws -> Bool {
        let folder = options.folder + "/pulsegate-benchmarks-\(getpid())"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        let context = BenchmarkContext(
            rounds: Rounds(count: options.rounds), folder: folder, command: try commandPath())
        let machine = try MachineFacts(folder: folder)
        if !options.isJSON { output("\(machine.text); medians of \(options.rounds) rounds") }
        var results: [BenchmarkResult] = []
        for benchmark in options.benchmarks {
            let result = await measure(benchmark, context)
            if !options.isJSON { output(result.text) }
            results.append(result)
        }
        if options.isJSON {
            output(try Report(machine: machine, rounds: options.rounds, results: results).json())
        }
        return results.allSatisfy { $0.failure == nil }
    }

    private static func measure(_ benchmark: any Benchmark, _ context: BenchmarkContext) async
        -> BenchmarkResult
    {
        var result = BenchmarkResult(benchmark: benchmark.name)
        do {
            result.figures = try await benchmark.run(context)
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    /// The path of the command in the build folder of this program.
    private static func commandPath() throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)]) + "/pulsegate"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchmarkError("\(path) is missing; build it with `swift build -c release`")
        }
        return path
    }

    /// Prints a line without buffering.
    private static func output(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
}
