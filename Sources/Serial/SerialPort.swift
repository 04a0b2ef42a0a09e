import GatewayCore
import Readiness

/// A serial port: opened exclusively and raw, read and written without blocking a thread.
///
/// All ports share one queue, on which they are read, and one poller, which waits for them; a port is
/// read first and waited for only when nothing is there.
actor SerialPort: SerialLink {
    /// The most that is read at once.
    static let readLimit = 4096

    private let path: String
    private let settings: LineSettings
    private let clock: any GatewayClock
    private let executor: QueueExecutor
    private let poller: DescriptorPoller
    private var connection: Connection?

    private struct Connection {
        let descriptor: TerminalDescriptor
        let readable: DescriptorWatch
        let writable: DescriptorWatch
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes a port that is not open yet.
    init(
        path: String, settings: LineSettings, clock: any GatewayClock, executor: QueueExecutor,
        poller: DescriptorPoller
    ) {
        self.path = path
        self.settings = settings
        self.clock = clock
        self.executor = executor
        self.poller = poller
    }

    func open() throws(SerialError) {
        guard connection == nil else { throw .busy(path: path) }
        let descriptor = try TerminalDescriptor.open(path, settings: settings)
        connection = Connection(
            descriptor: descriptor, readable: try poller.watch(descriptor, .readable),
            writable: try poller.watch(try descriptor.duplicate(), .writable))
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
                    throw SerialError.writeTimedOut(path: path)
                }
            }
        }
    }

    func close() {
        guard let open = connection else { return }
        connection = nil
        open.descriptor.discardUnsentAndUnread()
        open.descriptor.release()
        open.readable.close()
        open.writable.close()
    }

    private func currentConnection() throws(SerialError) -> Connection {
        guard let connection else { throw .notOpen(path: path) }
        return connection
    }
}
