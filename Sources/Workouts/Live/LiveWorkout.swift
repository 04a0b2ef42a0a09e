package import HealthModel

/// The state of a workout at one moment, for display.
package struct LiveWorkout: Hashable, Sendable {
    /// The present heart rate, or why there is none.
    package enum Heart: Hashable, Sendable {
        /// No sensor has been seen yet.
        case waiting
        /// The rate in count/min, its zone where zones are known, and the name of the device.
        case rate(Double, zone: Int?, device: String?, isBackup: Bool)
        /// The sensor has no skin contact.
        case noContact(device: String?)
        /// The sensor is no longer seen.
        case lost(device: String?)
    }

    /// The current step of the plan, for display.
    package struct Step: Hashable, Sendable {
        /// The number of the step, from 1, repeats counted.
        package var number: Int
        /// The number of steps.
        package var count: Int
        /// The name of the step.
        package var name: String
        /// The completed fraction of the step, 0 to 1; nil when it is unknown.
        package var progress: Double?
        /// The remaining part of the step, as text: `1:20`, `400 m`, `until zone 2`.
        package var remaining: String
        /// The advice for the target; nil without a target, and while the heart rate is unknown.
        package var advice: Advice?

        /// Creates a value from its parts.
        package init(
            number: Int, count: Int, name: String, progress: Double?, remaining: String,
            advice: Advice?
        ) {
            self.number = number
            self.count = count
            self.name = name
            self.progress = progress
            self.remaining = remaining
            self.advice = advice
        }
    }

    /// The advice that keeps a person in the target of a step.
    package enum Advice: String, Hashable, Sendable, CaseIterable {
        /// The target is met.
        case hold
        /// Increase the effort.
        case faster
        /// Reduce the effort.
        case slower
    }

    /// A point of the heart rate plot.
    package struct Point: Hashable, Sendable {
        /// The age of the point, in seconds.
        package var secondsAgo: Double
        /// The heart rate, in count/min.
        package var rate: Double

        /// Creates a value from its parts.
        package init(secondsAgo: Double, rate: Double) {
            self.secondsAgo = secondsAgo
            self.rate = rate
        }
    }

    /// The id of the workout.
    package var id: RecordID
    /// The name of the person.
    package var person: String
    /// The activity.
    package var activity: WorkoutActivity
    /// Indoor, outdoor or unknown.
    package var location: WorkoutLocation
    /// The state of the session.
    package var state: WorkoutState
    /// The time of this state.
    package var at: Instant
    /// The start of the workout.
    package var start: Instant
    /// The present heart rate.
    package var heart = Heart.waiting
    /// The statistics of the whole workout so far.
    package var measures = WorkoutMeasures()
    /// The number of the current lap, from 1.
    package var lapNumber = 1
    /// The statistics of the current lap.
    package var lap = WorkoutMeasures()
    /// The newest speed in m/s; nil when none is fresh.
    package var speed: Double?
    /// The newest cadence in count/min; nil when none is fresh.
    package var cadence: Double?
    /// The newest power in W; nil when none is fresh.
    package var power: Double?
    /// RMSSD of the last five minutes; nil while there are too few beats.
    package var rmssdMilliseconds: Double?
    /// The lower bounds of the zones, in count/min; empty when they are unknown.
    package var zoneBounds: [Double] = []
    /// The heart rate of the last minutes, oldest first, with up to one point every 2 s; a gap of
    /// more than 10 s is a gap of the plot.
    package var plot: [Point] = []
    /// The current step of the plan; nil without a plan.
    package var step: Step?
    /// The number of gaps: the gateway was not running, or records were dropped.
    package var gapCount = 0
    /// Whether the record of the stopped workout is saved; only the heart rate recovery may follow.
    package var isSaved = false

    /// Creates a state without statistics.
    package init(
        id: RecordID, person: String, activity: WorkoutActivity, location: WorkoutLocation,
        state: WorkoutState, at: Instant, start: Instant
    ) {
        self.id = id
        self.person = person
        self.activity = activity
        self.location = location
        self.state = state
        self.at = at
        self.start = start
    }
}
