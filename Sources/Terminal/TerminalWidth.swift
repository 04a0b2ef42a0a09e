package import Platform

/// The width of a terminal, which tables are cut to.
package struct TerminalWidth: Sendable {
    package let columns: Int
    package let characters: TerminalCharacters

    /// The width of a stream; nil when it is not a terminal.
    package init?(_ stream: StandardStream, environment: Environment) {
        guard stream.isTerminal else { return nil }
        self.init(columns: stream.size.columns, characters: TerminalCharacters(environment))
    }

    /// Creates a width.
    package init(columns: Int, characters: TerminalCharacters) {
        self.columns = columns
        self.characters = characters
    }

    /// The text of a line, with an ellipsis when it is longer than the terminal is wide.
    package func text(_ line: StyledLine, _ painter: Painter = .plain) -> String {
        line.cut(to: columns).text(painter, characters)
    }
}
