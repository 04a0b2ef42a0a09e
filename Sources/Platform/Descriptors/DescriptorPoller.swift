import Synchronization

/// A poller for file descriptors, on one thread, which runs from the first watch until the poller is
/// released, or on the idle threads of a pool.
public final class DescriptorPoller: Sendable {
    private let loop = Mutex<PollLoop?>(nil)

    /// Makes a poller; its thread starts with the first watch.
    public init() {}

    deinit {
        loop.withLock { $0?.stop() }
    }

    /// Watches one direction of a descriptor.
    ///
    /// The loop identifies a descriptor by its number, so two directions need two descriptors.
    public func watch<Descriptor: WatchedDescriptor>(
        _ descriptor: Descriptor, _ direction: DescriptorWatch.Direction
    ) throws(Descriptor.Failure) -> DescriptorWatch {
        do throws(LoopFailure) {
            return try DescriptorWatch(
                descriptor, direction, poller: self, loop: try madeLoop())
        } catch {
            throw descriptor.failure(of: error.operation, code: error.code)
        }
    }

    /// The loop of all watches.
    func madeLoop() throws(LoopFailure) -> PollLoop {
        try loop.withLock { loop throws(LoopFailure) in
            if let loop { return loop }
            let made = try PollLoop.make()
            loop = made
            return made
        }
    }
}
