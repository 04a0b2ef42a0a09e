/// The boundaries of a person's heart rate zones.
public struct ZoneSettings: Hashable, Sendable {
    /// The value that the boundaries are fractions of.
    public enum Basis: String, Sendable, CaseIterable {
        /// The maximum heart rate.
        case maximum
        /// The heart rate reserve: the difference between the maximum and the resting heart rate.
        case reserve
    }

    /// The minimum number of boundaries: zones compare at least two intensities.
    public static let minimumBoundaryCount = 2
    /// The maximum number of boundaries.
    public static let maximumBoundaryCount = 20
    /// The largest fraction: some zones start above the maximum of a formula.
    public static let maximumPart = 1.5
    /// The default: five zones from 50, 60, 70, 80 and 90 % of the maximum.
    public static let standard = ZoneSettings(
        basis: .maximum, defaultParts: [0.5, 0.6, 0.7, 0.8, 0.9])

    /// The value that the boundaries are fractions of.
    public let basis: Basis
    /// The lower boundaries of zone 1, 2, …, ascending; 0.5 is half of the basis.
    public let parts: [Double]

    /// Makes settings; nil when the parts are too few, too many, not ascending, or outside of 0 to
    /// 1.5.
    public init?(_ basis: Basis, parts: [Double]) {
        guard (Self.minimumBoundaryCount...Self.maximumBoundaryCount).contains(parts.count),
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
