public import Platform

/// A serial executor that runs D-Bus connections, on its own thread or on those of a pool.
///
/// *The thread of the loop* is the one that runs it now: of a pool, one thread at a time.
///
/// An actor that holds a ``MessageBus`` uses a loop as its `unownedExecutor`. The loop alternates
/// between the jobs of the actor and sd-bus, and after every turn asks each connection what it
/// waits for, so that no call, reply or timeout is missed. An idle loop never wakes up. It ends with
/// its last reference.
public final class BusLoop: SerialExecutor {
    let thread: BusThread

    /// Makes a loop.
    ///
    /// - Parameters:
    ///   - label: The name of its thread for tools such as top; the system uses the first 15 bytes.
    ///   - poller: With one that a ``TaskPool`` serves, the loop has no thread: what arrives on the
    ///     bus is handled by the thread of the pool that it wakes.
    public init(label: String, servedBy poller: DescriptorPoller? = nil) throws(BusError) {
        do throws(LoopFailure) {
            thread = try BusThread(label: label, servedBy: poller)
        } catch {
            throw .failed(operation: error.operation, code: error.code)
        }
    }

    deinit {
        thread.stop()
    }

    /// Runs a job of the actor on the thread.
    ///
    /// A queued job keeps the loop alive, so none is lost.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.post { _ in job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Calls a function on the thread, after the jobs that wait already.
    ///
    /// Its owner must keep the loop alive until then.
    package func post(_ action: @escaping @Sendable () -> Void) {
        thread.post { _ in action() }
    }

    /// Traps when the caller is not on the loop's thread.
    public func checkIsolated() {
        precondition(isCurrent, "this runs only on the thread of its BusLoop")
    }

    /// Whether the caller is on the loop's thread, as handlers of a ``MessageBus`` are.
    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    var isCurrent: Bool { thread.isCurrent }
}
