import GatewayCore
import Glibc
import Readiness

/// A byte stream on a descriptor, read and written without blocking a thread.
///
/// All streams of one kind share one queue, on which they are read, and one poller, which waits for
/// them; a stream is read first and waited for only when nothing is there.
actor StreamLink: SerialLink {
    /// The most that is read at once.
    static let readLimit = 4096

    private let opener: any StreamOpener
    private let clock: any GatewayClock
    private let executor: QueueExecutor
    private let poller: DescriptorPoller
    private var connection: Connection?

    private struct Connection {
        let descriptor: any StreamDescriptor
        let readable: DescriptorWatch
        let writable: DescriptorWatch

        func close() {
            descriptor.letGo()
            readable.close()
            writable.close()
        }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a stream that is not open yet.
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
        guard connection == nil else { throw SerialError.busy(path: opener.name) }
        let opened = try connect(try opener.open())
        do { try await finishConnecting(opened) } catch {
            opened.close()
            throw error
        }
        connection = opened
        return opened.descriptor.name
    }

    func read(until deadline: BootInstant?) async throws -> ReceivedBytes? {
        while true {
            try Task.checkCancellation()
            let connection = try currentConnection()
            switch connection.descriptor.read(limit: Self.readLimit) {
            case .bytes(let bytes): return ReceivedBytes(bytes: bytes, receipt: clock.now())
            case .failed(let error): throw error
            case .wouldBlock:
                guard try await connection.readable.wait(until: deadline, on: clock) else {
                    return nil
                }
            }
        }
    }

    func write(_ bytes: [UInt8], until deadline: BootInstant) async throws {
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
        connection?.close()
        connection = nil
    }

    private func connect(
        _ descriptor: some StreamDescriptor
    ) throws(SerialError) -> Connection {
        Connection(
            descriptor: descriptor, readable: try poller.watch(descriptor, .readable),
            writable: try poller.watch(try descriptor.duplicate(), .writable))
    }

    private func finishConnecting(_ opened: Connection) async throws {
        guard let limit = opened.descriptor.connectLimitSeconds else { return }
        let deadline = clock.now().adding(nanoseconds: Int64(clampedNanosecondsOf: limit))
        guard try await opened.writable.wait(until: deadline, on: clock) else {
            throw opened.descriptor.failureToConnect(code: ETIMEDOUT)
        }
        try opened.descriptor.finishConnecting()
    }

    private func currentConnection() throws(SerialError) -> Connection {
        guard let connection else { throw .notOpen(path: opener.name) }
        return connection
    }
}
