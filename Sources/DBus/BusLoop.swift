import Platform

/// A serial executor that is a thread of its own, on which connections to D-Bus live.
///
/// An actor that holds a ``MessageBus`` names a loop as its `unownedExecutor`. The loop runs the actor's
/// jobs and lets sd-bus work in turns, and after every turn asks each connection anew what it waits for:
/// no call, answer or time limit can be left lying because somebody forgot to look. Nothing wakes
/// up by itself; an idle loop costs no time. The thread ends with the last reference to the loop.
public final class BusLoop: SerialExecutor {
    let thread: BusThread

    /// Starts the thread.
    ///
    /// `label` names it for tools such as top; the system keeps the first 15 bytes.
    public init(label: String) throws(BusError) {
        do throws(LoopFailure) {
            thread = try BusThread.start(name: label) { BusConnections() }
        } catch {
            throw .failed(operation: error.operation, code: error.code)
        }
    }

    deinit {
        thread.stop()
    }

    /// Runs a job of the actor on the thread.
    ///
    /// A job that waits keeps the loop alive, so none is lost.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.post { _ in job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the program when the caller is not on the loop's thread.
    public func checkIsolated() {
        precondition(isCurrent, "this runs only on the thread of its BusLoop")
    }

    /// Whether the caller is on the loop's thread, which handlers of a ``MessageBus`` are.
    public func isIsolatingCurrentContext() -> Bool? {
        isCurrent
    }

    var isCurrent: Bool { thread.isCurrent }
}
