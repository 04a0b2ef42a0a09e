package import Terminal
package import Workouts

/// What is said of the heart rate, and what to do when there is none: an old number is never shown.
package struct HeartWords {
    /// The rate, without its unit; nil when it is not known right now.
    package let number: String?
    /// The zone, or what is wrong.
    package let title: String
    /// What mends it, or further facts; may be empty.
    package let hint: String
    package let style: Painter.Style

    /// - Parameter isCutOff: Whether nothing comes from the gateway, so that the heart may be anyhow.
    package init(_ heart: LiveWorkout.Heart, zones: ZonePalette, isCutOff: Bool = false) {
        guard !isCutOff else {
            self.init(
                missing: "NO NEWS", "nothing comes from the gateway; see `pulsegate status`")
            return
        }
        switch heart {
        case .waiting:
            self.init(
                missing: "NO HEART RATE YET", "moisten the strap, put it on and wait a moment",
                .doubtful)
        case .noContact(let device):
            self.init(
                missing: "NO CONTACT",
                "moisten \(device ?? "the strap") and press it to the skin")
        case .lost(let device):
            self.init(
                missing: "LOST",
                "\(device ?? "the strap") is silent: come nearer, or check its battery")
        case .rate(let rate, let zone, let device, _):
            let range = zone.map(zones.range) ?? ""
            self.init(
                number: "\(WorkoutFigures.whole(rate))",
                title: zone.map(zones.title) ?? "count/min",
                hint: [range.isEmpty ? "" : "\(range) count/min", device ?? ""]
                    .filter { !$0.isEmpty }.joined(separator: " · "),
                style: zone.map(zones.style) ?? .plain)
        }
    }

    private init(missing title: String, _ hint: String, _ style: Painter.Style = .striking) {
        self.init(number: nil, title: title, hint: hint, style: style)
    }

    private init(number: String?, title: String, hint: String, style: Painter.Style) {
        self.number = number
        self.title = title
        self.hint = hint
        self.style = style
    }
}

extension LiveWorkout {
    /// The state in the words that a person sees, and how urgent it is.
    package var stateWords: (text: String, style: Painter.Style) {
        switch state {
        case .notStarted: ("NOT STARTED", .doubtful)
        case .prepared: ("READY, waits for the sensors", .doubtful)
        case .running: ("RUNNING", .good)
        case .paused: ("PAUSED", .striking)
        case .stopped where isSaved: ("SAVED – recovery is measured, stay calm", .good)
        case .stopped: ("STOPPED – is being saved", .doubtful)
        case .ended: ("ENDED", .heading)
        }
    }

    /// The device that stands in for the primary one; nil when that measures itself.
    package var backupDevice: String? {
        guard case .rate(_, _, let device, isBackup: true) = heart else { return nil }
        return device ?? "another strap"
    }
}
