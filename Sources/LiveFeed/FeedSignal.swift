/// A signal for one waiting task; several that it has not seen yet are one.
struct FeedSignal: Sendable {
    /// The signals.
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the task.
    func send() { continuation.yield() }
}
