import Platform
import Synchronization

/// A pseudo-terminal that acts as the serial port of a simulated or test device.
///
/// Bytes written here are read from ``slavePath``. Both sides are raw. The pair holds its slave side
/// open, so that no bytes are lost before a reader opens it.
public final class PseudoTerminal: Sendable {
    /// The maximum number of bytes of a read.
    static let readLimit = 4096

    private struct Sides {
        let master: TerminalDescriptor
        let readable: DescriptorWatch
        let writable: DescriptorWatch
        var slave: TerminalDescriptor?
    }

    /// The path of the port for the reader of the device.
    public let slavePath: String
    private let sides: Mutex<Sides?>

    /// Makes a pair.
    ///
    /// - Throws: ``SerialError`` when the system cannot allocate another one.
    public convenience init() throws(SerialError) {
        try self.init(poller: DescriptorPoller())
    }

    /// Makes a pair that shares a poller.
    init(poller: DescriptorPoller) throws(SerialError) {
        let (master, slave) = try TerminalDescriptor.makePair()
        slavePath = slave.path
        sides = Mutex(
            Sides(
                master: master,
                readable: try poller.watch(master, .readable),
                writable: try poller.watch(try master.duplicate(), .writable),
                slave: slave))
    }

    /// Writes bytes as the device without waiting; about 4 KiB fit into the buffer.
    ///
    /// - Throws: ``SerialError/writeTimedOut(path:)`` when they do not all fit and only a part was
    ///   written; ``SerialError/notOpen(path:)`` when the pair is closed.
    public func write(_ bytes: [UInt8]) throws(SerialError) {
        guard try writeAvailable(bytes[...]).isEmpty else { throw .writeTimedOut(path: slavePath) }
    }

    /// Writes bytes as the device, and waits for the reader while the buffer is full.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    public func send(_ bytes: [UInt8]) async throws {
        var rest = try writeAvailable(bytes[...])
        while !rest.isEmpty {
            try await open().writable.wait()
            rest = try writeAvailable(rest)
        }
    }

    /// Waits for bytes from the reader.
    ///
    /// - Throws: ``SerialError``, ``SerialError/unplugged(path:)`` when the slave side has no open
    ///   descriptor; or `CancellationError` as soon as the task is cancelled.
    public func receive() async throws -> [UInt8] {
        while true {
            let open = try open()
            switch open.master.read(limit: Self.readLimit) {
            case .bytes(let bytes): return bytes
            case .failed(let error): throw error
            case .wouldBlock: try await open.readable.wait()
            }
        }
    }

    /// Closes the own slave side, so that ``receive()`` fails when the last reader has closed it.
    public func releaseSlave() {
        sides.withLock { $0?.slave = nil }
    }

    /// Clears the exclusive mode left by a killed reader.
    ///
    /// The last close of a real port does so; here the pair's own descriptor stays open.
    public func clearExclusiveUse() {
        sides.withLock { $0?.slave?.release() }
    }

    /// Closes the pair; to its reader the device is unplugged.
    public func close() {
        let open = sides.withLock { sides in
            defer { sides = nil }
            return sides
        }
        open?.readable.close()
        open?.writable.close()
    }

    private func open() throws(SerialError) -> Sides {
        guard let open = sides.withLock({ $0 }) else { throw .notOpen(path: slavePath) }
        return open
    }

    /// Writes without blocking and returns the bytes that did not fit.
    private func writeAvailable(_ bytes: ArraySlice<UInt8>) throws(SerialError) -> ArraySlice<UInt8>
    {
        let master = try open().master
        var rest = bytes
        while !rest.isEmpty {
            switch master.write(rest) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .failed(let error): throw error
            case .wouldBlock: return rest
            }
        }
        return rest
    }
}
