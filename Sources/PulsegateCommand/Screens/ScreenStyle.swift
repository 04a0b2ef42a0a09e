import GatewayCore
import HealthModel
import Terminal

/// How the figures of a workout are drawn for this terminal and this person.
struct ScreenStyle {
    let painter: Painter
    let characters: TerminalCharacters
    let figures: WorkoutFigures
    let calendar: LocalCalendar

    init(
        painter: Painter, characters: TerminalCharacters, format: QuantityFormat,
        calendar: LocalCalendar = .system
    ) {
        self.painter = painter
        self.characters = characters
        figures = WorkoutFigures(format: format)
        self.calendar = calendar
    }

    /// `19:15:00`, by the clocks of the place.
    func time(_ instant: Instant) -> String {
        String(LocalTime.text(instant, calendar).dropFirst(11).prefix(8))
    }

    /// The lines as they are written.
    func texts(_ lines: [StyledLine]) -> [String] {
        lines.map { $0.text(painter, characters) }
    }
}
