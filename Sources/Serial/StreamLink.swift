import GatewayCore
import Glibc
import Platform
import Synchronization

/// A byte stream on a non-blocking descriptor.
///
/// All streams of one kind share one queue, on which they are opened and closed because that may
/// block, and one poller. Reads run on the caller; the poller is used only when no bytes are available.
actor StreamLink: SerialLink {
    /// The maximum number of bytes of a read.
    static let readLimit = 4096

    private let opener: any StreamOpener
    private let clock: any GatewayClock
    private let executor: QueueExecutor
    private let poller: DescriptorPoller
    private let connection = Mutex<Connection?>(nil)
    private let readPolicy = Mutex(CoalescingPolicy.forReads)

    private struct Connection: Sendable {
        let descriptor: any StreamDescriptor
        let readable: DescriptorWatch
        let writable: DescriptorWatch

        func close() {
            descriptor.prepareToClose()
            readable.close()
            writable.close()
        }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a closed stream.
    init(
        _ opener: any StreamOpener, clock: any GatewayClock, executor: QueueExecutor,
        poller: DescriptorPoller
    ) {
        self.opener = opener
        self.clock = clock
        self.executor = executor
        self.poller = poller
    }

    func open() async throws -> String {
        guard connection.withLock({ $0 == nil }) else { throw SerialError.busy(path: opener.name) }
        let opened = try connect(try opener.open())
        do { try await finishConnecting(opened) } catch {
            opened.close()
            throw error
        }
        connection.withLock { $0 = opened }
        readPolicy.withLock { $0 = CoalescingPolicy.forReads }
        return opened.descriptor.name
    }

    nonisolated func read() async throws -> ReceivedBytes? {
        var hasWaited = false
        while true {
            try Task.checkCancellation()
            if let end = readPolicy.withLock({ $0.pauseEnd }) { try await clock.sleep(until: end) }
            let connection = try currentConnection()
            switch connection.descriptor.read(limit: Self.readLimit) {
            case .bytes(let bytes):
                let now = clock.now()
                readPolicy.withLock { $0.note(bytes.count, at: now) }
                return ReceivedBytes(bytes: bytes, receipt: now)
            case .failed(let error): throw error
            case .wouldBlock:
                readPolicy.withLock { $0.noteNothing() }
                // It was woken, or another task has read the bytes.
                if hasWaited { return nil }
                try await connection.readable.wait()
                hasWaited = true
            }
        }
    }

    nonisolated func wake() {
        connection.withLock { $0?.readable.wake() }
    }

    nonisolated func write(_ bytes: [UInt8], until deadline: BootInstant) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let connection = try currentConnection()
            switch connection.descriptor.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .failed(let error): throw error
            case .wouldBlock:
                guard try await connection.writable.wait(until: deadline, on: clock) else {
                    throw SerialError.writeTimedOut(path: connection.descriptor.name)
                }
            }
        }
    }

    func close() {
        let closed = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        closed?.close()
    }

    private func connect(
        _ descriptor: some StreamDescriptor
    ) throws(SerialError) -> Connection {
        Connection(
            descriptor: descriptor, readable: try poller.watch(descriptor, .readable),
            writable: try poller.watch(try descriptor.duplicate(), .writable))
    }

    private func finishConnecting(_ opened: Connection) async throws {
        guard let limit = opened.descriptor.connectTimeoutSeconds else { return }
        let deadline = clock.now().adding(nanoseconds: Int64(clampedNanosecondsOf: limit))
        guard try await opened.writable.wait(until: deadline, on: clock) else {
            throw opened.descriptor.failureToConnect(code: ETIMEDOUT)
        }
        try opened.descriptor.finishConnecting()
    }

    private nonisolated func currentConnection() throws(SerialError) -> Connection {
        guard let connection = connection.withLock({ $0 }) else {
            throw .notOpen(path: opener.name)
        }
        return connection
    }
}

extension CoalescingPolicy {
    /// The coalescing of reads.
    static var forReads: CoalescingPolicy {
        CoalescingPolicy(
            targetSize: 2_048, longestGapNanoseconds: 10_000_000,
            maximumPauseNanoseconds: 100_000_000)
    }
}
