import Foundation

/// The result of one benchmark.
struct BenchmarkResult: Encodable {
    let benchmark: String
    var figures: [Figure] = []
    /// The error of a failed benchmark.
    var failure: String?
}

/// The JSON report of all results.
struct Report: Encodable {
    let machine: MachineFacts
    let rounds: Int
    let results: [BenchmarkResult]

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension BenchmarkResult {
    /// The result as text: a line for each figure.
    var text: String {
        if let failure { return "\(benchmark)  failed: \(failure)" }
        return figures.map { figure in
            [
                benchmark.padded(to: 11), figure.name.padded(to: 28),
                "\(figure.ours.short) \(figure.unit)".padded(to: 20),
                figure.reference.map { "bare \($0.short)" }.orEmpty.padded(to: 16),
                figure.ratio.map { "ratio \($0.short)" }.orEmpty.padded(to: 14),
                figure.goal.map { goal in
                    let bound = goal.bound == .atMost ? "<=" : ">="
                    let subject = goal.subject == .ratio ? "ratio " : ""
                    return "\(subject)\(bound) \(goal.limit.short): "
                        + (figure.isMet == true ? "met" : "not met")
                }.orEmpty,
            ].joined()
        }.joined(separator: "\n")
    }
}

extension String? {
    fileprivate var orEmpty: String { self ?? "" }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}

extension Double {
    /// The number with about three significant digits, with a suffix for thousands and millions.
    fileprivate var short: String {
        switch magnitude {
        case 1_000_000...: String(format: "%.2fM", self / 1e6)
        case 10_000...: String(format: "%.0fk", self / 1e3)
        case 100...: String(format: "%.0f", self)
        case 10...: String(format: "%.1f", self)
        default: String(format: "%.2f", self)
        }
    }
}
