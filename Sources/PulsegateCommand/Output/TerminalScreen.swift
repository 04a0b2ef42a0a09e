import Synchronization

/// The lines at the bottom of a terminal that are drawn anew, and the log that scrolls above them.
final class TerminalScreen: Sendable {
    private let stream: StandardStream
    private let lines = Mutex<[String]>([])

    init(stream: StandardStream) {
        self.stream = stream
    }

    /// The screen of standard output; nil where that is no terminal whose cursor can be moved.
    static func forOutput(_ environment: Environment) -> TerminalScreen? {
        let canMoveCursor = environment["TERM"].map { $0 != "dumb" } ?? false
        return StandardStream.output.isTerminal && canMoveCursor
            ? TerminalScreen(stream: .output) : nil
    }

    /// Replaces the lines at the bottom.
    func show(_ new: [String]) {
        lines.withLock { lines in
            let width = stream.columns
            let text = new.map { "\(Self.cut($0, to: width))\n" }.joined()
            stream.write(Self.erase(lines.count) + text)
            lines = new
        }
    }

    /// Writes a line of the log above the lines at the bottom.
    func log(_ line: String) {
        lines.withLock { lines in
            let width = stream.columns
            let text = lines.map { "\(Self.cut($0, to: width))\n" }.joined()
            stream.write(Self.erase(lines.count) + line + text)
        }
    }

    /// ECMA-48: to the beginning of the line, where a typed ^C may have moved the cursor away, up, and
    /// erase to the end of the screen.
    private static func erase(_ count: Int) -> String {
        count == 0 ? "" : "\r\u{1b}[\(count)A\u{1b}[0J"
    }

    /// A line that wrapped could not be erased again.
    private static func cut(_ line: String, to width: Int) -> String {
        line.count < width ? line : String(line.prefix(max(width - 2, 0))) + "…"
    }
}
