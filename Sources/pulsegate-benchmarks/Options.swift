/// The command-line options.
struct Options {
    var names: [String] = []
    var rounds = Rounds.fewest
    var isJSON = false
    var showsHelp = false
    /// The parent of the folder for benchmark data.
    var folder = "/tmp"

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": showsHelp = true
            case "--json": isJSON = true
            case "--rounds":
                guard let count = rest.popFirst().flatMap(Int.init), count >= Rounds.fewest else {
                    throw BenchmarkError("--rounds: expected a number, \(Rounds.fewest) or more")
                }
                rounds = count
            case "--folder":
                guard let path = rest.popFirst() else {
                    throw BenchmarkError("--folder: a path is required")
                }
                folder = path
            default: try add(word)
            }
        }
    }

    private mutating func add(_ word: String) throws {
        let known = BenchmarkContext.benchmarks.map(\.name)
        guard known.contains(word) else {
            throw BenchmarkError(
                "unknown benchmark `\(word)`; known: \(known.joined(separator: ", "))")
        }
        names.append(word)
    }

    /// The selected benchmarks; all when none is named.
    var benchmarks: [any Benchmark] {
        BenchmarkContext.benchmarks.filter { names.isEmpty || names.contains($0.name) }
    }

    static var help: String {
        let list = BenchmarkContext.benchmarks.map { benchmark in
            let gap = String(repeating: " ", count: max(1, 14 - benchmark.name.count))
            return "  \(benchmark.name)\(gap)\(benchmark.summary)"
        }
        return """
            pulsegate-benchmarks [NAME…] [--rounds N] [--folder DIR] [--json]

            Measure pulsegate and a bare reference in alternation, and print medians. Use a release build
            and an otherwise idle machine.

            \(list.joined(separator: "\n"))

              --rounds N    number of measurements, \(Rounds.fewest) or more; default: \(Rounds.fewest)
              --folder DIR  parent folder for benchmark data; default: /tmp
              --json        print all figures as one JSON object

            The exit status is 1 if a benchmark failed, else 0, also when a goal is not met.
            """
    }
}
