import GatewayCore
import Glibc
import Platform

/// An open descriptor of a byte stream to a device.
///
/// Terminals and sockets differ in how they are opened and what their errors mean. No call blocks, and
/// releasing the last reference closes the descriptor.
protocol StreamDescriptor: WatchedDescriptor where Failure == SerialError {
    /// The name in messages: the path of a port, the address of a device.
    var name: String { get }

    /// The error for the end of the stream.
    var endOfStream: SerialError { get }

    /// Whether the peer has disconnected, when a read returns neither bytes nor an error.
    var isDisconnected: Bool { get }

    /// The connect timeout in seconds, for a stream that connects asynchronously.
    ///
    /// Such a stream becomes writable when connecting has succeeded or failed.
    var connectTimeoutSeconds: Double? { get }

    /// Completes connecting, or throws its error.
    func finishConnecting() throws(SerialError)

    /// The error for this `errno` of connecting.
    func failureToConnect(code: Int32) -> SerialError

    /// Writes as write(2) does, with the error in `errno`.
    func writeAvailable(_ buffer: UnsafeRawBufferPointer) -> Int

    /// Another descriptor of the same open file.
    func duplicate() throws(SerialError) -> Self

    /// Releases the device before the descriptor is closed.
    func prepareToClose()
}

/// The result of a read.
enum StreamReadResult: Equatable {
    case bytes([UInt8])
    case wouldBlock
    case failed(SerialError)
}

/// The result of a write.
enum StreamWriteResult: Equatable {
    case wrote(Int)
    case wouldBlock
    case failed(SerialError)
}

extension StreamDescriptor {
    /// Nil: most streams connect synchronously.
    var connectTimeoutSeconds: Double? { nil }

    func finishConnecting() throws(SerialError) {}

    func failureToConnect(code: Int32) -> SerialError { failure(of: "connect", code: code) }

    var notOpen: SerialError { .notOpen(path: name) }

    /// Reads up to `limit` available bytes.
    func read(limit: Int) -> StreamReadResult {
        let (bytes, code) = SystemCall.read(number, limit: limit)
        if code == EAGAIN { return isDisconnected ? .failed(endOfStream) : .wouldBlock }
        if code != 0 { return .failed(failure(of: "read", code: code)) }
        return bytes.isEmpty ? .failed(endOfStream) : .bytes(bytes)
    }

    /// Writes as many bytes as possible without blocking.
    func write(_ bytes: ArraySlice<UInt8>) -> StreamWriteResult {
        var code: Int32 = 0
        let count = bytes.withUnsafeBytes { buffer in
            let result = SystemCall.repeatWhileInterrupted { writeAvailable(buffer) }
            code = result < 0 ? errno : 0
            return result
        }
        if code == EAGAIN || (code == 0 && count == 0) { return .wouldBlock }
        return code == 0 ? .wrote(count) : .failed(failure(of: "write", code: code))
    }
}
