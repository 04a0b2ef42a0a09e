import HealthModel
import JSON

/// Checks of a decoded session for consistency.
extension WorkoutSession {
    func checkTimes(_ root: DocumentNode) throws(JSONError) {
        let isRight =
            switch state {
            case .notStarted, .prepared: startedAt == nil && endedAt == nil
            case .running, .paused: startedAt != nil && endedAt == nil
            case .stopped: startedAt != nil && endedAt != nil
            case .ended: (startedAt == nil) == (endedAt == nil)
            }
        guard isRight else { throw root.error("`start` and `end` do not match the state") }
        guard state == .notStarted || lastTime != nil else {
            throw root.error("`last` is required")
        }
        if let startedAt, let end = endedAt ?? lastTime {
            guard startedAt <= end, end <= lastTime ?? end else {
                throw root.error("`start`, `end` and `last` must be in order")
            }
        }
    }

    func checkEvents(_ node: DocumentNode) throws(JSONError) {
        var isPaused = false
        var last = startedAt
        for (event, node) in zip(events, try node.array()) {
            guard let startedAt, let from = last, event.start >= startedAt,
                event.end <= endedAt ?? lastTime ?? event.end
            else { throw node.error("is outside the workout") }
            switch event.kind {
            case .pause, .resume:
                guard isPaused == (event.kind == .resume) else {
                    throw node.error("does not match the previous pause or resume")
                }
                isPaused.toggle()
            case .motionPaused, .motionResumed:
                throw node.error("is not a valid event of a session")
            case .lap, .marker, .segment: break
            }
            guard event.kind == .segment || event.end >= from else {
                throw node.error("is earlier than the previous event")
            }
            if event.kind != .segment { last = event.end }
        }
        let isWrong =
            switch state {
            case .running: isPaused
            case .paused: !isPaused
            default: false
            }
        guard !isWrong else { throw node.error("do not match the state") }
    }
}
