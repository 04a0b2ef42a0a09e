/// A cache of the most recently encoded texts by key.
///
/// A stream repeats the same device in every sample, so its text is encoded once.
struct RecentTextCache<Key: Equatable> {
    private static var maximumCount: Int { 8 }

    private var entries: [(key: Key, text: [UInt8])] = []
    private var oldest = 0

    /// Returns the cached text of a key, or makes and caches it.
    mutating func text(of key: Key, orMake make: (Key) -> [UInt8]) -> [UInt8] {
        if let entry = entries.first(where: { $0.key == key }) { return entry.text }
        let text = make(key)
        if entries.count < Self.maximumCount {
            entries.append((key, text))
        } else {
            entries[oldest] = (key, text)
            oldest = (oldest + 1) % Self.maximumCount
        }
        return text
    }
}
