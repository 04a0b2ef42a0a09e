import HealthModel

/// Tells normal intervals between beats from artefacts.
///
/// The rule: an interval that differs by more than 20 % from the last one that was accepted is an
/// artefact or an extra beat (Malik, Cripps, Farrell, Camm, "Prognostic value of heart rate
/// variability after myocardial infarction: a comparison of different data-processing methods",
/// Med Biol Eng Comput 1989;27:603–611). Left to itself such a rule can begin with an artefact, or
/// refuse everything after a true change of rhythm. So at the beginning of a chain, and when five in a
/// row were removed, the next are compared with the median of five.
struct BeatFilter {
    private static let largestChange = 0.2
    private static let medianCount = 5

    /// The intervals of each chain that were accepted; nil where one was removed.
    static func accepted(in chain: ArraySlice<RRInterval>) -> [RRInterval?] {
        var filter = BeatFilter(beginningOf: chain)
        return chain.map { filter.accepts($0.milliseconds) ? $0 : nil }
    }

    /// Whether a heart can have such an interval, whatever came before; false for what is no number.
    static func isPossible(_ milliseconds: Double) -> Bool {
        QuantityType.rrInterval.plausibleRange?.contains(milliseconds) ?? true
    }

    /// What the next interval is compared with; nil when nothing possible has come yet.
    private var reference: Double?
    private var removed: [Double] = []

    /// So many possible intervals of the beginning are looked at.
    static let intervalsAtBeginning = medianCount

    /// A filter for a chain, of which the beginning is known.
    init(beginningOf chain: some Collection<RRInterval>) {
        reference = Self.median(chain.lazy.map(\.milliseconds).filter(Self.isPossible))
    }

    /// Whether the next interval of the chain is a normal one.
    mutating func accepts(_ milliseconds: Double) -> Bool {
        guard Self.isPossible(milliseconds) else { return false }
        guard let reference,
            abs(milliseconds - reference) <= Self.largestChange * reference
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

    /// The median of the first five, or of fewer; nil of none.
    private static func median(_ values: some Sequence<Double>) -> Double? {
        let sorted = values.prefix(medianCount).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
}
