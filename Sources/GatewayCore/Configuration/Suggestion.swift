/// Finds the word that somebody probably meant.
public enum Suggestion {
    /// A longer word is not compared: nobody meant it.
    static let lengthLimit = 64

    /// The known word nearest to `word`, when it is near enough to be a slip of the fingers.
    ///
    /// Near means at most a third of the word's letters added, left out, replaced or swapped
    /// (Damerau-Levenshtein distance, optimal string alignment).
    public static func nearest(to word: String, in known: [String]) -> String? {
        guard word.count <= lengthLimit else { return nil }
        let distances = known.map {
            ($0, distance(Array(word.lowercased()), Array($0.lowercased())))
        }
        guard let best = distances.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= max(1, word.count / 3) ? best.0 : nil
    }

    /// `did you mean “port”?`, or the list of what is known.
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
