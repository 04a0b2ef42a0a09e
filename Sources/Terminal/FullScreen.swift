package import Platform
import Synchronization

/// A full-screen picture on a terminal; leaving it restores the previous contents.
///
/// Uses the alternate screen of xterm and control sequences of ECMA-48.
package final class FullScreen: Sendable {
    /// Creates the lines of the picture for a size; no line is longer than the columns.
    package typealias Picture = @Sendable (_ columns: Int, _ rows: Int) -> [String]

    private struct State {
        var picture: Picture?
        /// The lines on the terminal, from the top; nil if unknown.
        var drawn: [String]?
        var size = (columns: 0, rows: 0)
        var isShown = false
        var hasLeft = false
        var held: [String] = []
        var droppedCount = 0
    }

    /// Maximum number of log lines held.
    package static let heldLimit = 1_000
    /// Alternate screen, hidden cursor, no automatic line breaks, bracketed paste.
    private static let begin = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h"
    private static let end = "\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    private let stream: StandardStream
    private let state = Mutex(State())
    private let log: @Sendable (String) -> Void

    /// Creates a screen that is not shown yet.
    ///
    /// - Parameter log: Writes log lines while the screen is not shown.
    package init(stream: StandardStream, log: @escaping @Sendable (String) -> Void) {
        self.stream = stream
        self.log = log
    }

    /// The screen of standard output; nil if it is not a terminal with a movable cursor.
    ///
    /// The screen is redrawn when the size of the terminal changes.
    package static func forOutput(_ environment: Environment) -> FullScreen? {
        let canMoveCursor = environment["TERM"].map { $0 != "dumb" } ?? false
        guard StandardStream.output.isTerminal, canMoveCursor else { return nil }
        let screen = FullScreen(stream: .output) { StandardStream.error.write($0) }
        ProcessSignals.catchResizes()
        SystemThread.start(name: "terminal size") {
            while true {
                _ = ProcessSignals.waitForResize()
                screen.resize()
            }
        }
        return screen
    }

    /// Shows a picture, and redraws it when the size changes; the first call enters the full screen.
    ///
    /// Writes only the lines that have changed.
    package func show(_ picture: @escaping Picture) {
        state.withLock { state in
            guard !state.hasLeft else { return }
            state.picture = picture
            if !state.isShown {
                stream.write(Self.begin)
                state.isShown = true
            }
            draw(&state)
        }
    }

    /// Redraws the picture after the size of the terminal has changed.
    package func resize() {
        state.withLock { state in
            // Terminals move or cut the lines.
            state.drawn = nil
            if state.isShown { draw(&state) }
        }
    }

    /// Writes a log line, including its line break: immediately, or after the screen is left.
    package func writeLog(_ line: String) {
        let isHeld = state.withLock { state in
            guard state.isShown else { return false }
            if state.held.count < Self.heldLimit {
                state.held.append(line)
            } else {
                state.droppedCount += 1
            }
            return true
        }
        if !isHeld { log(line) }
    }

    /// Restores the terminal and writes the log lines held; further calls do nothing.
    ///
    /// Can be called on any thread. Later pictures are not shown.
    package func leave() {
        state.withLock { state in
            state.hasLeft = true
            guard state.isShown else { return }
            state.isShown = false
            stream.write(Self.end)
            for line in state.held { log(line) }
            if state.droppedCount > 0 { log("log: \(state.droppedCount) lines dropped\n") }
            state.held = []
        }
    }

    private func draw(_ state: inout State) {
        guard let picture = state.picture else { return }
        let size = stream.size
        if size != state.size { state.drawn = nil }
        state.size = size
        let lines = Array(picture(size.columns, size.rows).prefix(size.rows))
        var text = state.drawn == nil ? "\u{1b}[2J" : ""
        let drawn = state.drawn ?? []
        for row in 0..<max(lines.count, drawn.count) {
            let line = row < lines.count ? lines[row] : ""
            if line != (row < drawn.count ? drawn[row] : "") {
                text += "\u{1b}[\(row + 1);1H\u{1b}[2K\(line)"
            }
        }
        state.drawn = lines
        if !text.isEmpty { stream.write(text) }
    }
}
