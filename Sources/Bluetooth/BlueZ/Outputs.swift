/// An output of a machine.
protocol BlueZOutput: Sendable {
    /// Whether it may be dropped when the buffer is full: a value may, the opening or closing of a
    /// link may not.
    var isDroppable: Bool { get }
}

/// A bounded buffer of outputs with one waiting reader.
struct Outputs<Element: BlueZOutput> {
    /// Resumed once, when there is an output or the client ends.
    var reader: CheckedContinuation<Void, Never>?

    private let limit: Int
    private var waiting: [Element] = []
    private var lost = 0

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Appends an element; over the limit a droppable element is dropped and counted.
    ///
    /// The elements that cannot be dropped are few: some for every connection attempt.
    mutating func append(_ element: Element) {
        if waiting.count < limit || !element.isDroppable {
            waiting.append(element)
        } else {
            lost += 1
        }
        wakeReader()
    }

    /// Removes and returns all elements, with the number dropped before them.
    mutating func removeAll() -> (batch: [Element], lost: Int) {
        defer {
            waiting = []
            lost = 0
        }
        return (waiting, lost)
    }

    mutating func wakeReader() {
        reader?.resume()
        reader = nil
    }
}
