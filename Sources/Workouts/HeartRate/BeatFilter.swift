import HealthModel

/// A filter that separates normal R-R intervals from artefacts.
///
/// The rule: an interval that differs by more than 20 % from the last accepted one is an artefact
/// or an extra beat (Malik, Cripps, Farrell, Camm, "Prognostic value of heart rate variability
/// after myocardial infarction: a comparison of different data-processing methods", Med Biol Eng
/// Comput 1989;27:603–611). On its own, such a rule can start from an artefact, or reject
/// everything after a true change of rhythm. Therefore the reference is the median of five
/// intervals at the beginning of a chain, and again after five rejected intervals in a row.
struct BeatFilter {
    private static let maximumChange = 0.2
    private static let medianCount = 5

    /// The accepted intervals of a chain; nil in place of each removed one.
    static func accepted(in chain: ArraySlice<RRInterval>) -> [RRInterval?] {
        var filter = BeatFilter(beginningOf: chain)
        return chain.map { filter.accepts($0.milliseconds) ? $0 : nil }
    }

    /// Whether a heart can have such an interval; false for NaN.
    static func isPossible(_ milliseconds: Double) -> Bool {
        QuantityType.rrInterval.plausibleRange?.contains(milliseconds) ?? true
    }

    /// The interval that the next one is compared with; nil before the first plausible one.
    private var reference: Double?
    private var removed: [Double] = []

    /// The number of plausible intervals that the first reference is calculated from.
    static let beginningCount = medianCount

    /// Creates a filter from the beginning of a chain.
    init(beginningOf chain: some Collection<RRInterval>) {
        reference = Self.median(chain.lazy.map(\.milliseconds).filter(Self.isPossible))
    }

    /// Whether the next interval of the chain is normal.
    mutating func accepts(_ milliseconds: Double) -> Bool {
        guard Self.isPossible(milliseconds) else { return false }
        guard let reference,
            abs(milliseconds - reference) <= Self.maximumChange * reference
        else {
            removed.append(milliseconds)
            if removed.count == Self.medianCount {
                reference = Self.median(removed)
                removed = []
            }
            return false
        }
        self.reference = milliseconds
        removed = []
        return true
    }

    /// The median of the first five values or fewer; nil without values.
    private static func median(_ values: some Sequence<Double>) -> Double? {
        let sorted = values.prefix(medianCount).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
}
