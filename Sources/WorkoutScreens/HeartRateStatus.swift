package import Terminal
package import Workouts

/// The heart rate as text, or why there is none and what to do; never shows an outdated value.
package struct HeartRateStatus {
    /// The rate without its unit; nil if currently unknown.
    package let number: String?
    /// The zone, or the problem.
    package let title: String
    /// The remedy, or further details; may be empty.
    package let hint: String
    package let style: Painter.Style

    /// Creates the text of a heart rate.
    ///
    /// - Parameter isStale: Whether the gateway has stopped sending updates.
    package init(_ heart: LiveWorkout.Heart, zones: ZonePalette, isStale: Bool = false) {
        guard !isStale else {
            self.init(
                missing: "NO UPDATES", "no data from the gateway; check `pulsegate status`")
            return
        }
        switch heart {
        case .waiting:
            self.init(
                missing: "NO HEART RATE YET", "moisten the strap, put it on and wait",
                .warning)
        case .noContact(let device):
            self.init(
                missing: "NO CONTACT",
                "moisten \(device ?? "the strap") and press it to the skin")
        case .lost(let device):
            self.init(
                missing: "LOST",
                "no signal from \(device ?? "the strap"): move closer or check its battery")
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

    private init(missing title: String, _ hint: String, _ style: Painter.Style = .alert) {
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
    /// The text and style of the state.
    package var stateLabel: (text: String, style: Painter.Style) {
        switch state {
        case .notStarted: ("NOT STARTED", .warning)
        case .prepared: ("READY, waiting for sensors", .warning)
        case .running: ("RUNNING", .good)
        case .paused: ("PAUSED", .alert)
        case .stopped where isSaved: ("SAVED – measuring recovery, keep still", .good)
        case .stopped: ("STOPPED – saving", .warning)
        case .ended: ("ENDED", .heading)
        }
    }

    /// The backup device in use; nil while the primary device delivers samples.
    package var backupDevice: String? {
        guard case .rate(_, _, let device, isBackup: true) = heart else { return nil }
        return device ?? "another strap"
    }
}
