import Synchronization

/// An output of a machine.
package protocol BlueZOutput: Sendable {
    /// Whether it may be dropped when the buffer is full: a value may, the opening or closing of a
    /// link may not.
    var isDroppable: Bool { get }
}

/// A bounded buffer of outputs with one reader.
///
/// The reader does not enter the thread of the bus: that would wake it twice for every value.
final class Outputs<Element: BlueZOutput>: Sendable {
    /// All waiting elements, with the number dropped before them.
    typealias Batch = (elements: [Element], lost: Int)

    private struct State {
        var waiting: [Element] = []
        var lost = 0
        var isEnded = false
        /// Resumed once, when there is an element or at the end.
        var reader: CheckedContinuation<Void, Never>?

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }

        mutating func takeAll() -> Batch {
            defer { (waiting, lost) = ([], 0) }
            return (waiting, lost)
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends an element; over the limit a droppable element is dropped and counted.
    ///
    /// The elements that cannot be dropped are few: some for every connection attempt.
    func append(_ element: Element) {
        let reader = state.withLock { state in
            if state.waiting.count < limit || !element.isDroppable {
                state.waiting.append(element)
            } else {
                state.lost += 1
            }
            return state.takeReader()
        }
        reader?.resume()
    }

    /// Ends the buffer: the reader gets what is in it, and then nil.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            return state.takeReader()
        }
        reader?.resume()
    }

    /// Hands everything to a function until the end.
    ///
    /// The loop is here, and not in the actor that appends, so that the thread of the bus is not
    /// entered for every batch.
    @concurrent
    func forEachBatch(_ body: @Sendable ([Element], _ lost: Int) async -> Void) async {
        while let (batch, lost) = await next() { await body(batch, lost) }
    }

    /// Waits for elements and removes them all; nil after the end.
    ///
    /// Only one task may read.
    func next() async -> Batch? {
        while true {
            let (batch, isEnded) = state.withLock { ($0.takeAll(), $0.isEnded) }
            if !batch.elements.isEmpty || batch.lost > 0 { return batch }
            if isEnded { return nil }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.waiting.isEmpty, !state.isEnded else { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }
}
