/// What a machine says.
protocol BlueZOutput: Sendable {
    /// Whether it may be lost when too much waits to be taken: a value may, but not that a link was
    /// opened or closed.
    var canBeLost: Bool { get }
}

/// What waits to be taken, and who waits for it.
struct Outputs<Element: BlueZOutput> {
    /// Resumed once when there is something to take, or will not be any more.
    var reader: CheckedContinuation<Void, Never>?

    private let limit: Int
    private var waiting: [Element] = []
    private var lost = 0

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds an element; over the limit it is lost and counted, if it can be.
    ///
    /// What cannot be is little: a few words for every attempt to connect.
    mutating func append(_ element: Element) {
        if waiting.count < limit || !element.canBeLost {
            waiting.append(element)
        } else {
            lost += 1
        }
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
