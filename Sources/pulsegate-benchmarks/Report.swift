import Foundation

/// What came of one benchmark.
struct Outcome: Encodable {
    let benchmark: String
    var figures: [Figure] = []
    /// Why it could not be measured.
    var failure: String?
}

/// All that was measured, for programs.
struct Report: Encodable {
    let machine: MachineFacts
    let rounds: Int
    let results: [Outcome]

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Outcome {
    /// The result for people: a line for each figure.
    var text: String {
        if let failure { return "\(benchmark)  could not be measured: \(failure)" }
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
    /// Three digits that count, large numbers in thousands.
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
