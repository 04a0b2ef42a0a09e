/// What waits to be taken, and who waits for it.
struct Outputs<Element> {
    /// Resumed once when there is something to take, or will not be any more.
    var reader: CheckedContinuation<Void, Never>?

    private let limit: Int
    private var waiting: [Element] = []
    private var lost = 0

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds an element; over the limit it is lost and counted.
    mutating func append(_ element: Element) {
        if waiting.count < limit { waiting.append(element) } else { lost += 1 }
        wakeReader()
    }

    /// Takes everything, with how much was lost before it.
    mutating func takeAll() -> (batch: [Element], lost: Int) {
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
