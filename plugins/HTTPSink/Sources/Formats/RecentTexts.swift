/// The texts that were made last, each with what it was made of.
///
/// A stream names the same device in every sample, so its text is made once.
struct RecentTexts<Key: Equatable> {
    private static var maximumCount: Int { 8 }

    private var entries: [(key: Key, text: [UInt8])] = []
    private var oldest = 0

    /// Answers with the text of a key, made only when it is not one of the recent ones.
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
