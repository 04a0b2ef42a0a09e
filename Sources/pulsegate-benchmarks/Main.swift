import Foundation
import GatewayCore
import Platform

/// Measures pulsegate beside bare references.
@main
struct Main {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            guard !options.wantsHelp else { return print(Options.help) }
            try refuseDebugBuild()
            // The tasks run where those of the gateway do.
            let pool = TaskPool(name: "pool")
            let isComplete = try await withTaskExecutorPreference(pool) { try await run(options) }
            if !isComplete { exit(1) }
        } catch {
            FileHandle.standardError.write(Data("pulsegate-benchmarks: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func refuseDebugBuild() throws {
        #if DEBUG
            throw BenchmarkError(
                "figures of a debug build mean nothing; swift run -c release pulsegate-benchmarks")
        #endif
    }

    /// Runs what is wanted, and answers with whether all of it could be measured.
    private static func run(_ options: Options) async throws -> Bool {
        let folder = options.folder + "/pulsegate-benchmarks-\(getpid())"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        let setting = Setting(
            rounds: Rounds(count: options.rounds), folder: folder, command: try commandPath())
        let machine = try MachineFacts(folder: folder)
        if !options.isJSON { say("\(machine.text); medians of \(options.rounds) rounds") }
        var results: [Outcome] = []
        for benchmark in options.benchmarks {
            let result = await measure(benchmark, setting)
            if !options.isJSON { say(result.text) }
            results.append(result)
        }
        if options.isJSON {
            say(try Report(machine: machine, rounds: options.rounds, results: results).json())
        }
        return results.allSatisfy { $0.failure == nil }
    }

    private static func measure(_ benchmark: any Benchmark, _ setting: Setting) async -> Outcome {
        var result = Outcome(benchmark: benchmark.name)
        do {
            result.figures = try await benchmark.run(setting)
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    /// The command that was built together with this program and lies beside it.
    private static func commandPath() throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)]) + "/pulsegate"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw BenchmarkError("there is no \(path); build it with swift build -c release")
        }
        return path
    }

    /// Prints at once, also where standard output is a file.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
}
