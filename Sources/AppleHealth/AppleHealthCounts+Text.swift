extension AppleHealthCounts {
    /// The maximum number of names in a line of text.
    private static let listedCount = 12

    /// What was left out, one line for each reason; empty when everything was imported.
    package var omissions: [String] {
        [("not supported", unknown), ("not valid", invalid)].compactMap { reason, counts in
            counts.isEmpty
                ? nil : "left out, as \(reason): \(Self.list(counts))"
        }
    }

    /// The names with their counts, the most frequent first.
    private static func list(_ counts: [String: Int]) -> String {
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let parts = sorted.prefix(listedCount).map { "\($0.value) \($0.key)" }
        let others = sorted.dropFirst(listedCount)
        guard !others.isEmpty else { return parts.joined(separator: ", ") }
        let count = others.reduce(0) { $0 + $1.value }
        return (parts + ["\(count) of \(others.count) other types"]).joined(separator: ", ")
    }
}
