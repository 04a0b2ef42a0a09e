/// The units that were read last, each with its text, for somebody who reads the same few again and again.
///
/// It is a value: whoever reads a stream keeps one, and nothing is shared. A unit that is in it costs
/// a few comparisons; one that is not is parsed and takes the place of the one that came first.
public struct UnitCache: Sendable {
    /// A person's devices have fewer units than that.
    public static let maximumCount = 16

    private var entries: [(text: [UInt8], unit: Unit)] = []
    private var oldest = 0

    /// Makes an empty cache.
    public init() {}

    /// Reads a unit as ``Unit/init(parsing:)`` does.
    ///
    /// A text that is no unit is not kept.
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

    /// Bytes are compared: strings are equal that only look alike, and of those one may be no unit.
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
