import Platform
import Synchronization

/// A serial port made of software: what is written here is read from ``slavePath``.
///
/// Simulated and test devices stand behind one. Both sides are raw. The pair keeps its slave side
/// open, so that nothing is lost before a reader has opened it.
public final class PseudoTerminal: Sendable {
    /// The most that is read at once.
    static let readLimit = 4096

    private struct Sides {
        let master: TerminalDescriptor
        let readable: DescriptorWatch
        let writable: DescriptorWatch
        var slave: TerminalDescriptor?
    }

    /// The path of the port, to be opened by whoever reads the device.
    public let slavePath: String
    private let sides: Mutex<Sides?>

    /// Makes a pair.
    ///
    /// - Throws: ``SerialError`` when the system has no more of them.
    public init() throws(SerialError) {
        let (master, slave) = try TerminalDescriptor.makePair()
        let poller = DescriptorPoller()
        slavePath = slave.path
        sides = Mutex(
            Sides(
                master: master,
                readable: try poller.watch(master, .readable),
                writable: try poller.watch(try master.duplicate(), .writable),
                slave: slave))
    }

    /// Writes bytes as the device, all at once; some 4 KiB always fit while a reader keeps up.
    ///
    /// - Throws: ``SerialError/writeTimedOut(path:)`` when they do not all fit: some were taken, some
    ///   not; ``SerialError/notOpen(path:)`` when the pair is closed.
    public func write(_ bytes: [UInt8]) throws(SerialError) {
        guard try writeNow(bytes[...]).isEmpty else { throw .writeTimedOut(path: slavePath) }
    }

    /// Writes bytes as the device and waits until the reader has made room for all of them.
    ///
    /// - Throws: ``SerialError``, or `CancellationError` as soon as the task is cancelled.
    public func send(_ bytes: [UInt8]) async throws {
        var rest = try writeNow(bytes[...])
        while !rest.isEmpty {
            try await open().writable.wait()
            rest = try writeNow(rest)
        }
    }

    /// Waits for bytes that the reader sends to the device.
    ///
    /// - Throws: ``SerialError``, ``SerialError/unplugged(path:)`` when nobody has the slave side open
    ///   any more; or `CancellationError` as soon as the task is cancelled.
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

    /// Lets go of the slave side, so that ``receive()`` notices when the last reader has closed it.
    public func releaseSlave() {
        sides.withLock { $0?.slave = nil }
    }

    /// Lets the port be opened again after a reader that was killed.
    ///
    /// The last close of a real port ends its exclusive use; here the pair's own descriptor is left.
    public func clearExclusiveUse() {
        sides.withLock { $0?.slave?.release() }
    }

    /// Closes the pair, which to its reader is an unplugging: the path is gone, reads fail.
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

    /// Writes what fits now and answers with the rest.
    private func writeNow(_ bytes: ArraySlice<UInt8>) throws(SerialError) -> ArraySlice<UInt8> {
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
