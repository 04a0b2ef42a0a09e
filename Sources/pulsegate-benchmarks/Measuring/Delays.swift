import Glibc

/// How long lines were under way.
struct Delays {
    private let sorted: [Double]

    /// Takes them in milliseconds; there is at least one.
    init(milliseconds: [Double]) {
        precondition(!milliseconds.isEmpty, "nothing was measured")
        sorted = milliseconds.sorted()
    }

    /// The delay that so large a part of the lines does not exceed.
    func percentile(_ part: Double) -> Double {
        let rank = Int((part * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    var longest: Double { percentile(1) }
}
