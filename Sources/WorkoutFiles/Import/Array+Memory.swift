import Workouts

/// Arrays of a long workout without space that is never used.
extension Array {
    /// The elements that satisfy a predicate, in an array that has no room for more.
    func exactly(where isWanted: (Element) -> Bool) -> [Element] {
        let count = count(where: isWanted)
        guard count < self.count else { return self }
        var wanted: [Element] = []
        wanted.reserveCapacity(count)
        for element in self where isWanted(element) { wanted.append(element) }
        return wanted
    }

    /// Appends an element; a long array grows by an eighth, not by its length.
    mutating func appendSparingly(_ element: Element) {
        if count == capacity, count >= 4_096 { reserveCapacity(count + count / 8) }
        append(element)
    }
}

extension Array where Element: Comparable {
    /// Whether a sorted array contains an element.
    func containsSorted(_ element: Element) -> Bool {
        let index = partitioned { $0 >= element }
        return index < count && self[index] == element
    }
}
