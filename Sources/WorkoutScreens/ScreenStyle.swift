import GatewayCore
package import HealthModel
package import Terminal

/// The style of workout texts for a terminal and a person.
package struct ScreenStyle {
    package let painter: Painter
    package let characters: TerminalCharacters
    package let figures: WorkoutFigures
    package let calendar: LocalCalendar
    /// The width that lists are cut to; nil when the output is not a terminal.
    package let width: TerminalWidth?

    package init(
        painter: Painter, characters: TerminalCharacters, format: QuantityFormat,
        calendar: LocalCalendar = .system, width: TerminalWidth? = nil
    ) {
        self.width = width
        self.painter = painter
        self.characters = characters
        figures = WorkoutFigures(format: format)
        self.calendar = calendar
    }

    /// `19:15:00`, in local time.
    package func time(_ instant: Instant) -> String {
        String(LocalTime.text(instant, calendar).dropFirst(11).prefix(8))
    }

    /// The lines as text for the terminal.
    package func texts(_ lines: [StyledLine]) -> [String] {
        lines.map { $0.text(painter, characters) }
    }
}
