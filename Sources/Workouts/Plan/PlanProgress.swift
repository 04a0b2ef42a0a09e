/// The progress of a person in a plan.
///
/// Each update says whether the current step is over; the caller then marks a lap and calls
/// ``next()``. It has no clock: time is the active time of the workout, without pauses.
package struct PlanProgress: Sendable, Hashable {
    /// How long the heart rate must be outside the target before there is advice, in seconds, so
    /// that it does not change with every beat.
    package static let timeoutSeconds = 10.0

    /// The state of the workout at a moment.
    package struct Moment: Sendable, Hashable {
        /// The active time of the workout, without pauses.
        package var activeSeconds: Double
        /// The distance; nil when it is not measured.
        package var distanceMeters: Double?
        /// The heart rate in count/min; nil when none is fresh.
        package var heartRate: Double?
        /// The zone of the heart rate; nil when the rate or the zones are unknown.
        package var zone: Int?

        /// Creates a value from its parts.
        package init(
            activeSeconds: Double, distanceMeters: Double? = nil, heartRate: Double? = nil,
            zone: Int? = nil
        ) {
            self.activeSeconds = activeSeconds
            self.distanceMeters = distanceMeters
            self.heartRate = heartRate
            self.zone = zone
        }

        /// Creates a moment from the live state of a workout.
        package init(_ live: LiveWorkout) {
            self.init(
                activeSeconds: live.measures.activeSeconds,
                distanceMeters: live.measures.distanceMeters)
            guard case .rate(let rate, let zone, _, _) = live.heart else { return }
            (heartRate, self.zone) = (rate, zone)
        }
    }

    /// The plan.
    package let plan: WorkoutPlan
    /// The number of finished steps.
    package private(set) var finished: Int
    private var startSeconds: Double
    private var startMeters: Double
    private var moment: Moment
    private var advice = LiveWorkout.Advice.hold
    /// The advice that will be given when it lasts for long enough.
    private var pending: Pending?

    private struct Pending: Sendable, Hashable {
        let advice: LiveWorkout.Advice
        let since: Double
    }

    /// Starts a plan, or continues it after the steps that were finished before a restart.
    /// - Parameters:
    ///   - activeSeconds: The active time at the start of the step.
    ///   - distanceMeters: The distance at the start of the step.
    package init(
        _ plan: WorkoutPlan, finished: Int = 0, activeSeconds: Double = 0,
        distanceMeters: Double = 0
    ) {
        self.plan = plan
        self.finished = min(max(0, finished), plan.steps.count)
        startSeconds = activeSeconds
        startMeters = distanceMeters
        moment = Moment(activeSeconds: activeSeconds, distanceMeters: distanceMeters)
    }

    /// The current step; nil when all are finished.
    package var current: WorkoutPlan.Step? {
        finished < plan.steps.count ? plan.steps[finished] : nil
    }

    /// Updates the progress, and returns whether the current step is over.
    ///
    /// An open step is over only when ``next()`` is called; so is a step by distance if no device
    /// measures it.
    package mutating func update(_ moment: Moment) -> Bool {
        self.moment = moment
        guard let step = current else { return false }
        updateAdvice(step.target)
        switch step.goal {
        case .time(let seconds): return doneSeconds >= seconds
        case .distance(let meters): return doneMeters >= meters
        case .zone(let zones): return moment.zone.map(zones.contains) ?? false
        case .open: return false
        }
    }

    /// How long before the last update the step was over; 0 while it lasts, and for a step without
    /// a time.
    package var overshootSeconds: Double {
        guard case .time(let seconds) = current?.goal else { return 0 }
        return max(0, doneSeconds - seconds)
    }

    /// Starts the next step, at the last update.
    ///
    /// A step by time or distance ends exactly at its goal, and the next one starts there, so that
    /// a plan does not grow by the time between two updates.
    package mutating func next() {
        guard let step = current else { return }
        var (seconds, meters) = (moment.activeSeconds, moment.distanceMeters ?? startMeters)
        if case .time(let whole) = step.goal { seconds = min(seconds, startSeconds + whole) }
        if case .distance(let whole) = step.goal { meters = min(meters, startMeters + whole) }
        (startSeconds, startMeters) = (seconds, meters)
        finished += 1
        (advice, pending) = (.hold, nil)
    }

    private var doneSeconds: Double { max(0, moment.activeSeconds - startSeconds) }
    private var doneMeters: Double { max(0, (moment.distanceMeters ?? startMeters) - startMeters) }

    // MARK: Advice

    private mutating func updateAdvice(_ target: WorkoutPlan.Step.Target?) {
        guard let target, let currentAdvice = currentAdvice(target) else {
            // Without a heart rate there is no advice.
            (advice, pending) = (.hold, nil)
            return
        }
        guard currentAdvice != advice else {
            pending = nil
            return
        }
        // The advice was followed: end it immediately.
        advice = .hold
        guard currentAdvice != .hold else {
            pending = nil
            return
        }
        if pending?.advice != currentAdvice {
            pending = Pending(advice: currentAdvice, since: moment.activeSeconds)
        }
        guard let since = pending?.since, moment.activeSeconds - since >= Self.timeoutSeconds
        else { return }
        (advice, pending) = (currentAdvice, nil)
    }

    /// The advice for the present heart rate; nil when it is unknown.
    private func currentAdvice(_ target: WorkoutPlan.Step.Target) -> LiveWorkout.Advice? {
        switch target {
        case .zones(let zones):
            moment.zone.map {
                $0 < zones.lowerBound ? .faster : $0 > zones.upperBound ? .slower : .hold
            }
        case .heartRate(let rates):
            moment.heartRate.map {
                $0 < rates.lowerBound ? .faster : $0 > rates.upperBound ? .slower : .hold
            }
        }
    }

    // MARK: Display

    /// The current step for display; nil when all steps are finished.
    package var step: LiveWorkout.Step? {
        guard let step = current else { return nil }
        let (progress, remaining) = remaining(of: step.goal)
        return LiveWorkout.Step(
            number: finished + 1, count: plan.steps.count, name: step.name, progress: progress,
            remaining: remaining, advice: step.target.flatMap(currentAdvice) == nil ? nil : advice)
    }

    private func remaining(of goal: WorkoutPlan.Step.Goal) -> (progress: Double?, remaining: String)
    {
        switch goal {
        case .time(let seconds):
            (min(1, doneSeconds / seconds), PlanText.time(seconds - doneSeconds))
        case .distance(let meters):
            (
                moment.distanceMeters == nil ? nil : min(1, doneMeters / meters),
                PlanText.distance(meters - doneMeters)
            )
        case .zone, .open: (nil, goal.displayText)
        }
    }
}
