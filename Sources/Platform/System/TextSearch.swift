/// Searches a text in another one, byte by byte.
///
/// Swift's own functions for this are in the module of regular expressions, which adds 1.3 MB to
/// the program as soon as one of them is called.
extension StringProtocol {
    /// Returns whether a text occurs.
    package func contains(text: String) -> Bool { firstRange(ofText: text) != nil }

    /// Returns the place where a text occurs first; nil when it does not.
    package func firstRange(ofText text: String) -> Range<Index>? {
        guard let first = text.utf8.first else { return startIndex..<startIndex }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = utf8[start...]
            if rest.starts(with: text.utf8) {
                return start..<rest.index(start, offsetBy: text.utf8.count)
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Returns the places where a text occurs, which do not overlap; none for an empty text.
    package func ranges(ofText text: String) -> [Range<Index>] {
        var ranges: [Range<Index>] = []
        var start = startIndex
        while !text.isEmpty, let range = self[start...].firstRange(ofText: text) {
            ranges.append(range)
            start = range.upperBound
        }
        return ranges
    }

    /// Returns the text with another one in each place where a text occurs.
    package func replacing(text: String, with other: String) -> String {
        var result = ""
        var start = startIndex
        for range in ranges(ofText: text) {
            result += self[start..<range.lowerBound]
            result += other
            start = range.upperBound
        }
        return result + self[start...]
    }
}
