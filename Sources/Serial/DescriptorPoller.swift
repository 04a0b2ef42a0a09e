import Synchronization

/// Watches descriptors on one thread, which runs from the first watch to the end of the poller.
final class DescriptorPoller: Sendable {
    private let loop = Mutex<PollLoop?>(nil)

    deinit {
        loop.withLock { $0?.stop() }
    }

    /// Watches one direction of a descriptor.
    ///
    /// The loop knows a descriptor by its number, so that two directions need two descriptors.
    func watch(
        _ descriptor: TerminalDescriptor, _ direction: DescriptorWatch.Direction
    ) throws(SerialError) -> DescriptorWatch {
        try DescriptorWatch(descriptor, direction, poller: self, loop: try startedLoop())
    }

    private func startedLoop() throws(SerialError) -> PollLoop {
        try loop.withLock { loop throws(SerialError) in
            if let loop { return loop }
            let started = try PollLoop.start()
            loop = started
            return started
        }
    }
}
