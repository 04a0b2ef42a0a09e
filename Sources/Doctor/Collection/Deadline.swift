import GatewayCore
import Platform

/// A limit of the time that an answer is waited for.
///
/// What has not ended in time is left behind: a call into the kernel, as to a disk that does not
/// answer, cannot be cancelled.
struct Deadline: Sendable {
    let seconds: Double
    let clock: any GatewayClock

    /// The result of a function that may block; nil when it takes longer.
    func value<Value: Sendable>(
        ofBlocking body: @escaping @Sendable () -> Value
    ) async -> Value? {
        await first { answer in
            let thread = try? JoinableThread(name: "doctor") { answer(body()) }
            guard let thread else { return answer(nil) }
            thread.detach()
        }
    }

    /// The result of a function; nil when it takes longer, and then its task is cancelled.
    func value<Value: Sendable>(of body: @escaping @Sendable () async -> Value) async -> Value? {
        let (tasks, handOver) = AsyncStream.makeStream(of: Task<Void, Never>.self)
        let value: Value? = await first { answer in
            handOver.yield(Task { answer(await body()) })
            handOver.finish()
        }
        for await task in tasks { task.cancel() }
        return value
    }

    private func first<Value: Sendable>(
        _ start: (_ answer: @escaping @Sendable (Value?) -> Void) -> Void
    ) async -> Value? {
        let (answers, signal) = AsyncStream.makeStream(
            of: Value?.self, bufferingPolicy: .bufferingOldest(1))
        start { value in
            signal.yield(value)
            signal.finish()
        }
        let timer = Task { [seconds, clock] in
            guard (try? await clock.sleep(seconds: seconds)) != nil else { return }
            signal.yield(nil)
            signal.finish()
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        return nil
    }
}
