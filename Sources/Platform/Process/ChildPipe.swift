import CProcess
import Glibc

/// This process's end of a pipe to a child, read and written without blocking a thread.
package final class ChildPipe: Sendable {
    /// The most bytes of one read: a pipe's usual capacity.
    private static let readLimit = 65_536

    private let end: PipeEnd
    private let watch: DescriptorWatch

    private init(_ end: PipeEnd, _ watch: DescriptorWatch) {
        self.end = end
        self.watch = watch
    }

    /// Makes a pipe whose one end is for the child, and whose other end is this.
    static func make(
        _ direction: DescriptorWatch.Direction, poller: DescriptorPoller
    ) throws(ChildProcessError) -> (child: PipeEnd, own: ChildPipe) {
        var numbers: [Int32] = [0, 0]
        guard cprocess_make_pipe(&numbers) == 0 else {
            throw ChildProcessError("pipe2", code: errno)
        }
        let ends = numbers.map(PipeEnd.init)
        let (child, own) = direction == .readable ? (ends[1], ends[0]) : (ends[0], ends[1])
        guard fcntl(own.number, F_SETFL, O_NONBLOCK) == 0 else {
            throw ChildProcessError("fcntl", code: errno)
        }
        return (child, ChildPipe(own, try poller.watch(own, direction)))
    }

    /// Reads what has arrived, and waits for it if need be; nil at the end of the stream.
    ///
    /// The questions are answered before each wait, also after ``wake()``.
    ///
    /// - Throws: `CancellationError`; ``ChildProcessError``, also once the pipe is closed.
    package func read(answering questions: ProgressQuestions? = nil) async throws -> [UInt8]? {
        while true {
            questions?.answerAll()
            try Task.checkCancellation()
            let (bytes, code) = try end.whileOpen { SystemCall.read($0, limit: Self.readLimit) }
            if !bytes.isEmpty { return bytes }
            if code == 0 { return nil }
            guard code == EAGAIN else { throw ChildProcessError("read", code: code) }
            try await watch.wait()
        }
    }

    /// Lets the reader that waits, or the next one, look again.
    package func wake() { watch.wake() }

    /// Writes all of the bytes, and waits while the pipe is full, but no longer than until `deadline`.
    ///
    /// - Returns: The bytes that were not written in time.
    /// - Throws: `CancellationError`; ``ChildProcessError``, with EPIPE when the child reads no more.
    package func write(
        _ bytes: ArraySlice<UInt8>, until deadline: BootInstant?, on clock: any BootClock
    ) async throws -> ArraySlice<UInt8> {
        var rest = bytes
        while !rest.isEmpty {
            try Task.checkCancellation()
            let (count, code) = try end.whileOpen { Self.write(rest, to: $0) }
            rest = rest.dropFirst(count)
            guard code == 0 || code == EAGAIN else { throw ChildProcessError("write", code: code) }
            if code == EAGAIN, try await !watch.wait(until: deadline, on: clock) { break }
        }
        return rest
    }

    /// Writes what fits into the pipe without waiting, also in a cancelled task; the rest is lost.
    package func writeAvailable(_ bytes: ArraySlice<UInt8>) {
        _ = try? end.whileOpen { Self.write(bytes, to: $0) }
    }

    /// The number of bytes that were written and that the child has not read; 0 once it is closed.
    package var unreadCount: Int {
        (try? end.whileOpen { Int(cprocess_unread($0)) }) ?? 0
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, to number: Int32
    ) -> (count: Int, code: Int32) {
        bytes.withUnsafeBytes { buffer in
            let count = SystemCall.repeatWhileInterrupted {
                cprocess_write(number, buffer.baseAddress, UInt(buffer.count))
            }
            return count < 0 ? (0, errno) : (count, 0)
        }
    }

    /// Closes the pipe, once or more often; waits under way end with an error.
    package func close() {
        watch.close()
        end.close()
    }
}
