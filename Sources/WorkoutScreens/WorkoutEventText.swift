import HealthModel
import Terminal
package import Workouts

/// The events of a workout, one line each.
package struct WorkoutEventText {
    private static let wordsColumn = 10

    private let workout: Workout
    private let style: ScreenStyle

    package init(_ recorded: RecordedWorkout, style: ScreenStyle) {
        workout = recorded.workout
        self.style = style
    }

    /// `09:42:10  paused for 3:34`; empty if there are no events.
    ///
    /// Laps are not included.
    package var text: String {
        let pauses = workout.pauses.map { (time: $0.lowerBound, words: "paused \(length($0))") }
        let others = workout.events.compactMap { event in
            words(of: event).map { (time: event.start, words: $0) }
        }
        let lines = (pauses + others).enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.flatMap { _, line in
            StyledLine(style.time(line.time))
                .beside(line.words, from: Self.wordsColumn, within: style.width)
        }
        return style.texts(lines).map { "\($0)\n" }.joined()
    }

    private func words(of event: WorkoutEvent) -> String? {
        switch event.kind {
        case .pause, .resume, .motionPaused, .motionResumed, .lap: return nil
        case .marker: return "marker"
        case .segment:
            let span = length(event.start..<event.end)
            if let reason = event.metadata[.gap] {
                return "no samples \(span): \(reason)"
            }
            if let device = event.metadata[.backupDevice] {
                return "backup strap \(device) used \(span)"
            }
            return "segment \(span)"
        }
    }

    private func length(_ span: Range<Instant>) -> String {
        let seconds = Double(span.upperBound.nanoseconds(since: span.lowerBound)) / 1e9
        return "for \(WorkoutFigures.clock(seconds.rounded()))"
    }
}
