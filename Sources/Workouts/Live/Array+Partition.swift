extension Array {
    /// The index of the first element that satisfies a condition, which all later elements must
    /// satisfy too.
    package func partitioned(by isTrue: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
