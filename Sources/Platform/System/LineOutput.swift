import Glibc
import Synchronization

/// An output descriptor for whole lines, shared by several writers.
///
/// A write blocks while another one is blocked by a slow reader, so call it on a dedicated queue. A
/// write that fails midway leaves a partial line; the next one starts a new line, so that the
/// reader loses no other record. On a terminal the text has no effect, see ``TerminalText``.
public final class LineOutput: Sendable {
    private let output: OutputDescriptor
    private let isTerminal: Bool
    private let isWithinLine = Mutex(false)

    /// Makes an output on a descriptor, which the caller continues to own.
    public init(descriptor: Int32) {
        output = OutputDescriptor(descriptor: descriptor)
        isTerminal = isatty(descriptor) == 1
    }

    /// Makes an output on the standard output of the process.
    public convenience init() {
        self.init(descriptor: STDOUT_FILENO)
    }

    /// Writes lines, each with its newline.
    public func write(_ lines: [UInt8]) throws(OutputDescriptor.Failure) {
        try isWithinLine.withLock { isWithinLine throws(OutputDescriptor.Failure) in
            let lines = isTerminal ? TerminalText.escaped(lines) : lines
            let bytes = isWithinLine ? [UInt8(ascii: "\n")] + lines : lines
            do throws(OutputDescriptor.Failure) {
                try output.write(bytes)
                isWithinLine = false
            } catch {
                if error.written > 0 {
                    isWithinLine = bytes[error.written - 1] != UInt8(ascii: "\n")
                }
                throw error
            }
        }
    }
}
