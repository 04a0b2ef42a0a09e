package import Platform
import Synchronization

/// The whole terminal for one picture that changes; what was there before is there again afterwards.
///
/// It uses the alternate screen of xterm, which other terminals have too; ECMA-48 has the rest.
package final class FullScreen: Sendable {
    /// Makes the lines of a picture for a size; none is longer than the columns.
    package typealias Picture = @Sendable (_ columns: Int, _ rows: Int) -> [String]

    private struct State {
        var picture: Picture?
        /// What stands on the terminal, from the top down; nil when that is not known.
        var drawn: [String]?
        var size = (columns: 0, rows: 0)
        var isShown = false
        var hasLeft = false
        var held: [String] = []
        var droppedCount = 0
    }

    /// So many lines of the log are held at most.
    package static let heldLimit = 1_000
    /// The alternate screen, no cursor, no line breaks of the terminal's own, pastes marked as such.
    private static let begin = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h"
    private static let end = "\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    private let stream: StandardStream
    private let state = Mutex(State())
    private let log: @Sendable (String) -> Void

    /// Makes a screen that has not begun yet.
    /// - Parameter log: Where lines of the log go when the screen is not shown.
    package init(stream: StandardStream, log: @escaping @Sendable (String) -> Void) {
        self.stream = stream
        self.log = log
    }

    /// The screen of standard output; nil where that is no terminal whose cursor can be moved.
    ///
    /// It is drawn anew whenever the terminal gets another size.
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

    /// Shows a picture, and shows it again when the size changes; the first one begins the screen.
    ///
    /// Only lines that have changed are written.
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

    /// Draws the picture for the size that the terminal has got.
    package func resize() {
        state.withLock { state in
            // Terminals move or cut what stood there.
            state.drawn = nil
            if state.isShown { draw(&state) }
        }
    }

    /// Writes a line of the log, which ends with its line break: at once, or once the screen is left.
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

    /// Gives the terminal back as it was, and then writes the log that was held; again it does nothing.
    ///
    /// It may be called on any thread. Nothing is shown any more afterwards.
    package func leave() {
        state.withLock { state in
            state.hasLeft = true
            guard state.isShown else { return }
            state.isShown = false
            stream.write(Self.end)
            for line in state.held { log(line) }
            if state.droppedCount > 0 { log("log: \(state.droppedCount) lines were dropped\n") }
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
