/// Suggestions for misspelled words.
public enum Suggestion {
    /// The maximum length of a word to compare.
    static let lengthLimit = 64

    /// The number of letters from which a word may be the beginning of the one that was meant.
    static let beginningLetters = 4

    /// The known word nearest to `word`, if it is near enough to be a typing error, or the shortest that begins with
    /// it: `walking` for `walk`, `stepCount` for `steps`.
    ///
    /// The limit is a third of the letters of the longer word added, omitted, replaced or swapped
    /// (Damerau-Levenshtein distance, optimal string alignment), so none for words of two letters.
    public static func nearest(to word: String, in known: [String]) -> String? {
        guard word.count <= lengthLimit else { return nil }
        let letters = Array(word.lowercased())
        let near = known.compactMap { known -> (word: String, distance: Int)? in
            let distance = distance(letters, Array(known.lowercased()))
            return distance <= max(letters.count, known.count) / 3 ? (known, distance) : nil
        }
        if let nearest = near.min(by: { $0.distance < $1.distance }) { return nearest.word }
        guard letters.count >= beginningLetters else { return nil }
        let beginning = letters.last == "s" ? letters.dropLast() : letters[...]
        return known.filter { $0.lowercased().starts(with: beginning) }
            .min { $0.count < $1.count }
    }

    /// The message "unknown person `adda`; did you mean `ada`?", or with the list of known words.
    public static func unknown(_ kind: String, _ word: String, known: [String]) -> String {
        "unknown \(kind) `\(word)`; \(message(unknown: word, known: known))"
    }

    /// The message "did you mean `port`?", or the list of known words.
    public static func message(unknown word: String, known: [String]) -> String {
        if let nearest = nearest(to: word, in: known) { return "did you mean `\(nearest)`?" }
        return "known: \(known.joined(separator: ", "))"
    }

    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
