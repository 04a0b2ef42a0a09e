/// A cache of recently parsed units, for readers of streams that repeat a few units.
///
/// It is a value: each reader has its own, and nothing is shared. A cached unit costs a few
/// comparisons; any other is parsed and replaces the oldest entry.
public struct UnitCache: Sendable {
    /// The maximum number of units: more than the devices of a person use.
    public static let maximumCount = 16

    private var entries: [(text: [UInt8], unit: Unit)] = []
    private var oldest = 0

    /// Makes an empty cache.
    public init() {}

    /// Reads a unit as ``Unit/init(parsing:)`` does.
    ///
    /// A text that is not a unit is not cached.
    public mutating func unit(parsing text: String) throws(UnitParseError) -> Unit {
        if let index = index(of: text) { return entries[index].unit }
        let unit = try Unit(parsing: text)
        let entry = (text: Array(text.utf8), unit: unit)
        if entries.count < Self.maximumCount {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % Self.maximumCount
        }
        return unit
    }

    /// Finds a unit by the bytes of its text: canonically equivalent strings are equal, but not all
    /// of them are units.
    private func index(of text: String) -> Int? {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return entries.indices.first { index in
                entries[index].text.count == bytes.count
                    && entries[index].text.withUnsafeBytes { bytes.hasBytes($0, at: 0) }
            }
        }
    }
}
