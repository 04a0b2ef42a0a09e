/// A binary heap with fast access to its smallest element.
struct MinHeap<Element: Sendable>: Sendable {
    /// The elements; none is before its parent, which is at half its index.
    private var elements: [Element] = []
    private let isBefore: @Sendable (Element, Element) -> Bool

    /// Makes an empty heap.
    init(by isBefore: @escaping @Sendable (Element, Element) -> Bool) {
        self.isBefore = isBefore
    }

    /// The smallest element; nil when the heap is empty.
    var first: Element? { elements.first }

    /// Inserts an element.
    mutating func insert(_ element: Element) {
        elements.append(element)
        var place = elements.count - 1
        while place > 0, isBefore(elements[place], elements[(place - 1) / 2]) {
            elements.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes and returns the smallest element; nil when the heap is empty.
    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        var place = 0
        while let child = smallerChild(of: place), isBefore(elements[child], elements[place]) {
            elements.swapAt(place, child)
            place = child
        }
        return first
    }

    /// Changes every element; the change must not affect the order.
    mutating func updateAll(_ change: (inout Element) -> Void) {
        for place in elements.indices { change(&elements[place]) }
    }

    private func smallerChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard left < elements.count else { return nil }
        return right < elements.count && isBefore(elements[right], elements[left]) ? right : left
    }
}
