/// Bars whose length shows a proportion.
package enum ShareBar {
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// A bar filled up to a proportion from 0 to 1, in steps of an eighth of a column.
    package static func text(_ share: Double, columns: Int) -> String {
        let limited = share.isFinite ? min(max(share, 0), 1) : 0
        let steps = Int((limited * Double(max(columns, 0)) * 8).rounded())
        var text = String(repeating: "█", count: steps / 8)
        if steps % 8 > 0 { text.append(eighths[steps % 8 - 1]) }
        return text
    }

    /// Divides columns among parts in proportion, using all columns.
    ///
    /// A part greater than zero gets at least one column if there are enough.
    package static func columns(_ parts: [Double], among columns: Int) -> [Int] {
        let parts = parts.map { $0.isFinite ? max($0, 0) : 0 }
        let whole = parts.reduce(0, +)
        guard whole > 0, whole.isFinite, columns > 0 else { return parts.map { _ in 0 } }
        let present = parts.count { $0 > 0 }
        let least = present <= columns ? 1 : 0
        let free = Double(columns - least * present)
        let exact = parts.map { $0 > 0 ? free * $0 / whole : 0 }
        var counts = zip(parts, exact).map { $0 > 0 ? least + Int($1) : 0 }
        // The columns lost by rounding down go to the parts that lost the most.
        let byLoss = exact.indices.sorted {
            let (left, right) = (
                exact[$0] - exact[$0].rounded(.down), exact[$1] - exact[$1].rounded(.down)
            )
            return left == right ? $0 < $1 : left > right
        }
        for index in byLoss.prefix(max(columns - counts.reduce(0, +), 0)) where parts[index] > 0 {
            counts[index] += 1
        }
        return counts
    }
}
