import Glibc
import Synchronization

/// A descriptor to which several write whole lines, one after the other.
///
/// Whoever comes while another one's reader is slow waits for that: a write belongs on a queue of its
/// own. A write that breaks off leaves a piece of a line; the next one begins a new line, so that the
/// reader loses no other record with it.
package final class LineOutput: Sendable {
    private let output: OutputDescriptor
    private let isWithinLine = Mutex(false)

    /// Makes an output on a descriptor, which stays its owner's.
    package init(descriptor: Int32 = STDOUT_FILENO) {
        output = OutputDescriptor(descriptor: descriptor)
    }

    /// Writes lines, each with its newline.
    package func write(_ lines: [UInt8]) throws(OutputDescriptor.Failure) {
        try isWithinLine.withLock { isWithinLine throws(OutputDescriptor.Failure) in
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
