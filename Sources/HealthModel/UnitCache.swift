/// The units that were read last, each with its text, for somebody who reads the same few again and again.
///
/// It is a value: whoever reads a stream keeps one, and nothing is shared. A unit that is in it costs
/// a few comparisons; one that is not is parsed and takes the place of the one that came first.
public struct UnitCache: Sendable {
    /// A person's devices have fewer units than that.
    public static let largestCount = 16

    private var entries: [(text: String, unit: Unit)] = []
    private var oldest = 0

    /// Makes an empty cache.
    public init() {}

    /// Reads a unit as ``Unit/init(parsing:)`` does.
    ///
    /// A text that is no unit is not kept.
    public mutating func unit(parsing text: String) throws(UnitParseError) -> Unit {
        // As bytes: strings are equal that only look alike, and of those one may be no unit.
        for entry in entries where entry.text.hasSameBytes(as: text) { return entry.unit }
        let unit = try Unit(parsing: text)
        if entries.count < Self.largestCount {
            entries.append((text, unit))
        } else {
            entries[oldest] = (text, unit)
            oldest = (oldest + 1) % Self.largestCount
        }
        return unit
    }
}
