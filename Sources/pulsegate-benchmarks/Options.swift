/// What the command line says.
struct Options {
    var names: [String] = []
    var rounds = Rounds.fewest
    var isJSON = false
    var wantsHelp = false
    /// Below which folder the benchmarks write.
    var folder = "/tmp"

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": wantsHelp = true
            case "--json": isJSON = true
            case "--rounds":
                guard let count = rest.popFirst().flatMap(Int.init), count >= Rounds.fewest else {
                    throw BenchmarkError("--rounds wants a number, \(Rounds.fewest) or more")
                }
                rounds = count
            case "--folder":
                guard let path = rest.popFirst() else {
                    throw BenchmarkError("--folder wants a path")
                }
                folder = path
            default: try add(word)
            }
        }
    }

    private mutating func add(_ word: String) throws {
        let known = Setting.benchmarks.map(\.name)
        guard known.contains(word) else {
            throw BenchmarkError(
                "there is no benchmark `\(word)`; known: \(known.joined(separator: ", "))")
        }
        names.append(word)
    }

    /// The benchmarks that are wanted: all when none is named.
    var benchmarks: [any Benchmark] {
        Setting.benchmarks.filter { names.isEmpty || names.contains($0.name) }
    }

    static var help: String {
        let list = Setting.benchmarks.map { benchmark in
            let gap = String(repeating: " ", count: max(1, 12 - benchmark.name.count))
            return "  \(benchmark.name)\(gap)\(benchmark.about)"
        }
        return """
            pulsegate-benchmarks [NAME…] [--rounds N] [--folder DIR] [--json]

            Measures pulsegate beside a bare reference, in turns in one run, and prints medians. Run it
            from a release build on a machine that has nothing else to do.

            \(list.joined(separator: "\n"))

              --rounds N    how often each is measured, \(Rounds.fewest) or more; \(Rounds.fewest) when left out
              --folder DIR  where data is written, below a folder of its own; /tmp when left out
              --json        one object with all figures, for programs

            The status is 1 when something could not be measured, and 0 whether or not goals are met.
            """
    }
}
