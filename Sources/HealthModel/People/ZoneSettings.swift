/// How somebody wants heart rates divided into zones of effort.
public struct ZoneSettings: Hashable, Sendable {
    /// What the boundaries are parts of.
    public enum Basis: String, Sendable, CaseIterable {
        /// The maximum heart rate.
        case maximum
        /// The heart rate reserve: what lies between the resting and the maximum heart rate.
        case reserve
    }

    /// The most boundaries.
    public static let maximumBoundaryCount = 20
    /// The largest part: some begin a zone above the maximum that a formula gives.
    public static let maximumPart = 1.5
    /// Five zones: from 50, 60, 70, 80 and 90 % of the maximum.
    public static let usual = ZoneSettings(
        basis: .maximum, defaultParts: [0.5, 0.6, 0.7, 0.8, 0.9])

    /// What the boundaries are parts of.
    public let basis: Basis
    /// Where zone 1, 2, … begin, ascending; 0.5 is half of what they are parts of.
    public let parts: [Double]

    /// Makes settings; nil when the parts are none, too many, not ascending, or beyond 0 to 1.5.
    public init?(_ basis: Basis, parts: [Double]) {
        guard (1...Self.maximumBoundaryCount).contains(parts.count),
            parts.allSatisfy({ (0...Self.maximumPart).contains($0) }),
            zip(parts, parts.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.init(basis: basis, defaultParts: parts)
    }

    private init(basis: Basis, defaultParts: [Double]) {
        self.basis = basis
        parts = defaultParts
    }
}
