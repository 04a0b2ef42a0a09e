/// Elements of which the smallest is always at hand, whatever the order they came in: a binary heap.
struct MinHeap<Element: Sendable>: Sendable {
    /// The elements, each not before the one at half its place.
    private var elements: [Element] = []
    private let isBefore: @Sendable (Element, Element) -> Bool

    /// Makes an empty heap.
    init(by isBefore: @escaping @Sendable (Element, Element) -> Bool) {
        self.isBefore = isBefore
    }

    /// The smallest one; nil when there is none.
    var first: Element? { elements.first }

    /// Puts an element in.
    mutating func insert(_ element: Element) {
        elements.append(element)
        var place = elements.count - 1
        while place > 0, isBefore(elements[place], elements[(place - 1) / 2]) {
            elements.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the smallest one out; nil when there is none.
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

    /// Changes every element, in a way that leaves the order as it is.
    mutating func updateAll(_ change: (inout Element) -> Void) {
        for place in elements.indices { change(&elements[place]) }
    }

    private func smallerChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard left < elements.count else { return nil }
        return right < elements.count && isBefore(elements[right], elements[left]) ? right : left
    }
}
