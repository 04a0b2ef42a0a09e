import Synchronization

/// The lines that wait for a decoder to read them, limited in size.
final class DecoderQueue: Sendable {
    /// The maximum number of bytes that wait.
    static let limit = 262_144

    private struct State {
        /// The line of the event `opened`, which a program that is started again gets first.
        var opening: [UInt8] = []
        var isOpeningSent = false
        var waiting: [UInt8] = []
        var waitingCount = 0
        var reader: CheckedContinuation<Void, Never>?

        mutating func removeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    private let state = Mutex(State())

    /// Sets the line of the event `opened`.
    func open(_ line: [UInt8]) {
        state.withLock { state in
            state.opening = line
            return state.removeReader()
        }?.resume()
    }

    /// Appends a line; false if there is no space for it.
    func append(_ line: [UInt8]) -> Bool {
        let (isAppended, reader) = state.withLock { state in
            guard state.waiting.count + line.count <= Self.limit else {
                return (false, nil as CheckedContinuation<Void, Never>?)
            }
            state.waiting += line
            state.waitingCount += 1
            return (true, state.removeReader())
        }
        reader?.resume()
        return isAppended
    }

    /// The number of lines that wait.
    var count: Int { state.withLock { $0.waitingCount } }

    /// Begins a run of the program: it gets the line of the event `opened` first.
    func beginRun() {
        state.withLock { $0.isOpeningSent = false }
    }

    /// Removes and returns the lines that wait.
    func removeAll() -> [UInt8] {
        state.withLock { state in
            let opening = state.isOpeningSent ? [] : state.opening
            if !opening.isEmpty { state.isOpeningSent = true }
            defer { (state.waiting, state.waitingCount) = ([], 0) }
            return opening + state.waiting
        }
    }

    /// Waits for lines and removes them; none when the task is cancelled.
    func nextLines() async -> [UInt8] {
        while !Task.isCancelled {
            let lines = removeAll()
            if !lines.isEmpty { return lines }
            await wait()
        }
        return []
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    let hasOpening = !state.isOpeningSent && !state.opening.isEmpty
                    if hasOpening || !state.waiting.isEmpty || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.removeReader() }?.resume()
        }
    }
}
