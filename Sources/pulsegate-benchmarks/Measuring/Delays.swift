import Glibc

/// The latencies of lines.
struct Delays {
    private let sorted: [Double]

    /// Makes a collection of at least one latency in milliseconds.
    init(milliseconds: [Double]) {
        precondition(!milliseconds.isEmpty, "nothing was measured")
        sorted = milliseconds.sorted()
    }

    /// The latency that a fraction of the lines does not exceed.
    func percentile(_ part: Double) -> Double {
        let rank = Int((part * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    var longest: Double { percentile(1) }
}
