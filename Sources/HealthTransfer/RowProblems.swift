/// The rows of a file that were left out, by reason.
struct RowProblems {
    /// The maximum number of different reasons; further ones count as one.
    static let maximumCount = 32
    private static let further = "other reasons"

    private struct Problem {
        var count = 0
        /// The number of the first line.
        let line: Int
    }

    private let noun: (one: String, several: String)
    private var byReason: [String: Problem] = [:]

    /// Counts rows that are called so in the text.
    init(noun: (one: String, several: String)) { self.noun = noun }

    /// The number of rows that were left out.
    var count: Int { byReason.values.reduce(0) { $0 + $1.count } }

    /// Counts a row.
    mutating func add(_ reason: String, line: Int) {
        let isKnown = byReason[reason] != nil || byReason.count < Self.maximumCount
        byReason[isKnown ? reason : Self.further, default: Problem(line: line)].count += 1
    }

    /// One line for each reason, the most frequent first.
    var omissions: [String] {
        let sorted = byReason.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return sorted.map { reason, problem in
            let place = problem.count == 1 ? "in line" : "first in line"
            let name = problem.count == 1 ? noun.one : noun.several
            return "left out: \(problem.count) \(name), \(reason) (\(place) \(problem.line))"
        }
    }
}
