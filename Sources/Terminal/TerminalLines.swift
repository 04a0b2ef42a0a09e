import Glibc
import Platform

/// Lines that a user types at a terminal.
package struct TerminalLines: Sendable {
    /// The longest line that a terminal passes on (termios(3), "Canonical and noncanonical mode").
    private static let readLimit = 4_096

    private let input: Int32
    private let output: StandardStream

    /// Reads from one terminal and asks at another; nil when either is none.
    package init?(input: Int32 = STDIN_FILENO, output: StandardStream = .error) {
        guard isatty(input) == 1, output.isTerminal else { return nil }
        self.input = input
        self.output = output
    }

    /// Asks a question and waits for the line typed after it.
    ///
    /// - Returns: The line without its end; nil when the terminal is closed or the task is cancelled.
    package func ask(_ question: String) async -> String? {
        // What was typed before is no answer.
        tcflush(input, TCIFLUSH)
        output.write(question)
        guard let readable = try? DescriptorPoller().watch(Input(number: input), .readable) else {
            return nil
        }
        defer { readable.close() }
        guard (try? await readable.wait()) != nil else { return nil }
        let (bytes, _) = SystemCall.read(input, limit: Self.readLimit)
        // ^D shows nothing: what is printed next is on a line of its own.
        if bytes.last != UInt8(ascii: "\n") { output.write("\n") }
        guard !bytes.isEmpty else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// The descriptor of a terminal to read from.
private struct Input: WatchedDescriptor {
    struct Failure: Error {
        let code: Int32
    }

    let number: Int32
    var notOpen: Failure { Failure(code: EBADF) }

    func failure(of operation: String, code: Int32) -> Failure { Failure(code: code) }
}
