package import Platform
import Synchronization

/// The lines at the bottom of a terminal that are drawn anew, and the log that scrolls above them.
package final class TerminalScreen: Sendable {
    private struct Lines {
        /// What is to be seen.
        var wanted: [String] = []
        /// How many characters each line on the terminal has.
        var drawn: [Int] = []
        /// Whether the terminal is getting another size.
        var isResizing = false
    }

    /// How long the size must stay the same until lines are drawn for it, in seconds: while its window is
    /// drawn smaller tmux breaks lines at once, but tells the new width up to 250 ms later.
    private static let resizeSeconds = 0.3

    private let stream: StandardStream
    private let lines = Mutex(Lines())

    package init(stream: StandardStream) {
        self.stream = stream
    }

    /// The screen of standard output; nil where that is no terminal whose cursor can be moved.
    ///
    /// It is drawn anew whenever the terminal gets another size.
    package static func forOutput(_ environment: Environment) -> TerminalScreen? {
        let canMoveCursor = environment["TERM"].map { $0 != "dumb" } ?? false
        guard StandardStream.output.isTerminal, canMoveCursor else { return nil }
        let screen = TerminalScreen(stream: .output)
        ProcessSignals.catchResizes()
        SystemThread.start(name: "terminal size") {
            while true {
                _ = ProcessSignals.waitForResize()
                screen.beginResize()
                while ProcessSignals.waitForResize(seconds: resizeSeconds) {}
                screen.endResize()
            }
        }
        return screen
    }

    /// Replaces the lines at the bottom.
    package func show(_ new: [String]) {
        lines.withLock { lines in
            lines.wanted = new
            if !lines.isResizing { draw(&lines) }
        }
    }

    /// Writes a line of the log above the lines at the bottom.
    package func log(_ line: String) {
        lines.withLock { draw(&$0, below: line) }
    }

    /// Leaves the lines as they are while the terminal is getting another size.
    package func beginResize() {
        lines.withLock { $0.isResizing = true }
    }

    /// Draws the lines anew for the size that the terminal has got.
    package func endResize() {
        lines.withLock { lines in
            lines.isResizing = false
            draw(&lines)
        }
    }

    private func draw(_ lines: inout Lines, below log: String = "") {
        let size = stream.size
        let new = Self.cut(lines.wanted, to: size)
        let text = new.map { "\($0)\n" }.joined()
        stream.write(Self.erase(lines.drawn, width: size.columns) + log + text)
        lines.drawn = new.map(\.count)
    }

    /// ECMA-48: to the beginning of the line, where a typed ^C may have moved the cursor away, erase it,
    /// and each row above it that was drawn.
    ///
    /// A terminal that has become narrower has broken the lines which are too long for it now. The rows
    /// are erased one by one: some terminals keep what is erased at a stroke from the top of the screen
    /// as a page of their history, and forget only for a whole row that it went on in the next.
    private static func erase(_ drawn: [Int], width: Int) -> String {
        let rows = drawn.map { max(($0 + width - 1) / width, 1) }.reduce(0, +)
        guard rows > 0 else { return "" }
        return "\r\u{1b}[2K" + String(repeating: "\u{1b}[1A\u{1b}[2K", count: rows)
    }

    /// As much as the terminal has room for above the cursor: what has scrolled out of it, or has been
    /// broken into two rows, could not be erased again.
    private static func cut(_ lines: [String], to size: (columns: Int, rows: Int)) -> [String] {
        let room = max(size.rows - 1, 1)
        let shown =
            lines.count <= room
            ? lines
            : lines.prefix(room - 1) + ["… \(lines.count - room + 1) more lines"]
        return shown.map { cut($0, to: size.columns) }
    }

    private static func cut(_ line: String, to width: Int) -> String {
        line.count < width ? line : String(line.prefix(max(width - 2, 0))) + "…"
    }
}
