/// How far somebody is in a plan.
///
/// It is told how far the workout is, and says when a step is over; who asks then marks a lap and calls
/// ``next()``. It knows no clock: time is that of the workout without its
/// pauses.
package struct PlanProgress: Sendable, Hashable {
    /// So long somebody may be outside the target before it is said, in seconds, so that the advice does not
    /// change with every beat.
    package static let timeoutSeconds = 10.0

    /// What is known of a moment.
    package struct Moment: Sendable, Hashable {
        /// How long the workout has been without its pauses.
        package var activeSeconds: Double
        /// How far the person has come; nil when nothing measures it.
        package var distanceMeters: Double?
        /// The heart rate in count/min; nil when none is fresh.
        package var heartRate: Double?
        /// The zone of the heart rate; nil when it or the zones are not known.
        package var zone: Int?

        package init(
            activeSeconds: Double, distanceMeters: Double? = nil, heartRate: Double? = nil,
            zone: Int? = nil
        ) {
            self.activeSeconds = activeSeconds
            self.distanceMeters = distanceMeters
            self.heartRate = heartRate
            self.zone = zone
        }

        /// What the live view of a workout says.
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
    /// How many steps are over.
    package private(set) var finished: Int
    private var startSeconds: Double
    private var startMeters: Double
    private var moment: Moment
    private var advice = LiveWorkout.Advice.hold
    /// What the heart rate asks for, and since when, while that is not yet the advice.
    private var pending: Pending?

    private struct Pending: Sendable, Hashable {
        let advice: LiveWorkout.Advice
        let since: Double
    }

    /// The beginning of a plan, or of the step after those that were finished before a restart.
    /// - Parameters:
    ///   - activeSeconds: When the step began.
    ///   - distanceMeters: Where the step began.
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

    /// The step to do now; nil when all are done.
    package var current: WorkoutPlan.Step? {
        finished < plan.steps.count ? plan.steps[finished] : nil
    }

    /// Takes how far the workout is, and answers whether the step is over now.
    ///
    /// A step that waits for a lap is over only when ``next()`` is called; so is one by a distance that
    /// nothing measures.
    package mutating func take(_ moment: Moment) -> Bool {
        self.moment = moment
        guard let step = current else { return false }
        consider(step.target)
        switch step.goal {
        case .time(let seconds): return doneSeconds >= seconds
        case .distance(let meters): return doneMeters >= meters
        case .zone(let zones): return moment.zone.map(zones.contains) ?? false
        case .open: return false
        }
    }

    /// How long ago, at the last moment, the step was over; 0 while it goes on, and for one that does not
    /// end by time.
    package var overshootSeconds: Double {
        guard case .time(let seconds) = current?.goal else { return 0 }
        return max(0, doneSeconds - seconds)
    }

    /// Goes on to the next step, at the last moment that was told.
    ///
    /// A step by time or distance that is found to be over late ended where it should have: the next one
    /// begins there, so that a plan does not grow by what lies between two looks.
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

    private mutating func consider(_ target: WorkoutPlan.Step.Target?) {
        guard let target, let wanted = wanted(target) else {
            // Nothing is known, so nothing is asked for.
            (advice, pending) = (.hold, nil)
            return
        }
        guard wanted != advice else {
            pending = nil
            return
        }
        // What was asked for has been done; that is said at once.
        advice = .hold
        guard wanted != .hold else {
            pending = nil
            return
        }
        if pending?.advice != wanted {
            pending = Pending(advice: wanted, since: moment.activeSeconds)
        }
        guard let since = pending?.since, moment.activeSeconds - since >= Self.timeoutSeconds
        else { return }
        (advice, pending) = (wanted, nil)
    }

    /// What the heart rate asks for right now; nil when it is not known.
    private func wanted(_ target: WorkoutPlan.Step.Target) -> LiveWorkout.Advice? {
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

    /// Where the plan is, for the live view; nil when all steps are done.
    package var step: LiveWorkout.Step? {
        guard let step = current else { return nil }
        let (progress, rest) = left(of: step.goal)
        return LiveWorkout.Step(
            number: finished + 1, count: plan.steps.count, name: step.name, progress: progress,
            rest: rest, advice: step.target.flatMap(wanted) == nil ? nil : advice)
    }

    private func left(of goal: WorkoutPlan.Step.Goal) -> (progress: Double?, rest: String) {
        switch goal {
        case .time(let seconds):
            (min(1, doneSeconds / seconds), PlanText.time(seconds - doneSeconds))
        case .distance(let meters):
            (
                moment.distanceMeters == nil ? nil : min(1, doneMeters / meters),
                PlanText.distance(meters - doneMeters)
            )
        case .zone, .open: (nil, goal.words)
        }
    }
}
