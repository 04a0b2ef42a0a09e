import GatewayCore
import Glibc
import Platform

/// An open descriptor that a device's bytes come from and go to.
///
/// A terminal and a socket are read and written alike; what differs is how one is opened and what its
/// errors mean. Nothing here waits, and the last reference closes it.
protocol StreamDescriptor: WatchedDescriptor where Failure == SerialError {
    /// What messages call it: the path of a port, the address of a device.
    var name: String { get }

    /// What the end of the stream means.
    var endOfStream: SerialError { get }

    /// Whether the other side is gone, although a read finds neither bytes nor an error.
    var isGone: Bool { get }

    /// How long connecting may take, in seconds, for a stream that is not connected when it is made.
    ///
    /// Such a stream can be written as soon as connecting has ended, in one way or another.
    var connectLimitSeconds: Double? { get }

    /// Says how connecting has ended.
    func finishConnecting() throws(SerialError)

    /// What it means that the system gave this `errno` for connecting.
    func failureToConnect(code: Int32) -> SerialError

    /// Writes as write(2) does, and leaves the reason in `errno`.
    func writeNow(_ buffer: UnsafeRawBufferPointer) -> Int

    /// Another descriptor of the same open file.
    func duplicate() throws(SerialError) -> Self

    /// Gives the device free, before the descriptor is closed.
    func letGo()
}

/// What came of a read.
enum StreamReadResult: Equatable {
    case bytes([UInt8])
    case wouldBlock
    case failed(SerialError)
}

/// What came of a write.
enum StreamWriteResult: Equatable {
    case wrote(Int)
    case wouldBlock
    case failed(SerialError)
}

extension StreamDescriptor {
    /// Most streams are open as soon as they are made.
    var connectLimitSeconds: Double? { nil }

    func finishConnecting() throws(SerialError) {}

    func failureToConnect(code: Int32) -> SerialError { failure(of: "connect", code: code) }

    var notOpen: SerialError { .notOpen(path: name) }

    /// Reads what is there, at most `limit` bytes.
    func read(limit: Int) -> StreamReadResult {
        let (bytes, code) = SystemCall.read(number, limit: limit)
        if code == EAGAIN { return isGone ? .failed(endOfStream) : .wouldBlock }
        if code != 0 { return .failed(failure(of: "read", code: code)) }
        return bytes.isEmpty ? .failed(endOfStream) : .bytes(bytes)
    }

    /// Writes as many bytes as fit now.
    func write(_ bytes: ArraySlice<UInt8>) -> StreamWriteResult {
        var code: Int32 = 0
        let count = bytes.withUnsafeBytes { buffer in
            let result = SystemCall.repeatWhileInterrupted { writeNow(buffer) }
            code = result < 0 ? errno : 0
            return result
        }
        if code == EAGAIN || (code == 0 && count == 0) { return .wouldBlock }
        return code == 0 ? .wrote(count) : .failed(failure(of: "write", code: code))
    }
}
