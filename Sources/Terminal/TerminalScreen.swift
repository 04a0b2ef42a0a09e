package import Platform
import Synchronization

/// Live lines at the bottom of a terminal, with the log scrolling above them.
package final class TerminalScreen: Sendable {
    private struct Lines {
        /// The lines to show.
        var wanted: [String] = []
        /// The lines on the terminal.
        var drawn: [String] = []
        /// Whether the size of the terminal is changing.
        var isResizing = false
    }

    /// How long the size must be stable until lines are drawn for it, in seconds.
    ///
    /// While a window is made narrower, tmux breaks lines immediately but reports the new width up to
    /// 250 ms later.
    private static let resizeSeconds = 0.3

    private let stream: StandardStream
    private let lines = Mutex(Lines())

    package init(stream: StandardStream) {
        self.stream = stream
    }

    /// The screen of standard output; nil if it is not a terminal with a movable cursor.
    ///
    /// The lines are redrawn when the size of the terminal changes.
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

    /// Writes a log line above the lines at the bottom.
    package func log(_ line: String) {
        lines.withLock { draw(&$0, below: line) }
    }

    /// Stops drawing while the size of the terminal changes.
    package func beginResize() {
        lines.withLock { $0.isResizing = true }
    }

    /// Redraws the lines for the new size of the terminal.
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
        lines.drawn = new
    }

    /// The control sequences (ECMA-48) that erase the current line and the rows drawn above it.
    ///
    /// Starts with a carriage return, because a typed ^C may have moved the cursor. A terminal that has
    /// become narrower has broken the lines that are too long now. The rows are erased one by one: some
    /// terminals copy a larger erased area to their scrollback, or keep rows joined that were broken.
    private static func erase(_ drawn: [String], width: Int) -> String {
        let rows = drawn.map { TextWidth.rows(of: $0, columns: width) }.reduce(0, +)
        guard rows > 0 else { return "" }
        return "\r\u{1b}[2K" + String(repeating: "\u{1b}[1A\u{1b}[2K", count: rows)
    }

    /// The lines that fit above the cursor: rows that have scrolled out or were broken cannot be erased.
    private static func cut(_ lines: [String], to size: (columns: Int, rows: Int)) -> [String] {
        let room = max(size.rows - 1, 1)
        let shown =
            lines.count <= room
            ? lines
            : lines.prefix(room - 1) + ["… \(lines.count - room + 1) more lines"]
        return shown.map { cut($0, to: size.columns) }
    }

    private static func cut(_ line: String, to width: Int) -> String {
        guard TextWidth.columns(of: line) >= width else { return line }
        return TextWidth.prefix(of: line, columns: max(width - 2, 0)) + "…"
    }
}
