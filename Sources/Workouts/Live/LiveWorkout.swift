package import HealthModel

/// How a workout is doing at one moment: what a display shows of it.
package struct LiveWorkout: Hashable, Sendable {
    /// What the heart rate is right now.
    package enum Heart: Hashable, Sendable {
        /// No sensor has said anything yet.
        case waiting
        /// The rate in count/min, its zone where zones are known, and the name of the device.
        case rate(Double, zone: Int?, device: String?, isBackup: Bool)
        /// The sensor does not touch the skin.
        case noContact(device: String?)
        /// Nothing comes from the sensor any more.
        case lost(device: String?)
    }

    /// Where the plan is.
    package struct Step: Hashable, Sendable {
        /// The number of the step, from 1 up, repeats counted.
        package var number: Int
        /// How many steps there are.
        package var count: Int
        /// What the plan calls it.
        package var name: String
        /// How much of it is done, 0 to 1; nil when that cannot be told.
        package var progress: Double?
        /// What is left of it, as text: `1:20`, `400 m`, `until zone 2`.
        package var rest: String
        /// What the person should do; nil where the step has no target, and while nothing tells whether it is kept.
        package var advice: Advice?

        package init(
            number: Int, count: Int, name: String, progress: Double?, rest: String,
            advice: Advice?
        ) {
            self.number = number
            self.count = count
            self.name = name
            self.progress = progress
            self.rest = rest
            self.advice = advice
        }
    }

    /// How the person keeps to the target of a step.
    package enum Advice: String, Hashable, Sendable, CaseIterable {
        /// All is well.
        case hold
        /// Harder.
        case faster
        /// Easier.
        case slower
    }

    /// A point of the plot.
    package struct Point: Hashable, Sendable {
        /// How long ago, in seconds.
        package var secondsAgo: Double
        /// In count/min.
        package var rate: Double

        package init(secondsAgo: Double, rate: Double) {
            self.secondsAgo = secondsAgo
            self.rate = rate
        }
    }

    package var id: RecordID
    package var person: String
    package var activity: WorkoutActivity
    package var location: WorkoutLocation
    package var state: WorkoutState
    /// The moment that all this is of.
    package var at: Instant
    package var start: Instant
    package var heart = Heart.waiting
    /// What the whole has come to.
    package var measures = WorkoutMeasures()
    /// The number of the present lap, from 1 up.
    package var lapNumber = 1
    /// What the present lap has come to.
    package var lap = WorkoutMeasures()
    /// The newest speed in m/s; nil when none is fresh.
    package var speed: Double?
    /// The newest cadence in count/min; nil when none is fresh.
    package var cadence: Double?
    /// The variability of the last minutes; nil while too few beats are known.
    package var rmssdMilliseconds: Double?
    /// Where the zones begin, in count/min; empty when they are not known.
    package var zoneBounds: [Double] = []
    /// The last minutes, the oldest first, thinned to a point for every 2 s at most; a gap of more than
    /// 10 s is a gap of the plot.
    package var plot: [Point] = []
    /// Where the plan is; nil without one.
    package var step: Step?
    /// How often the gateway was gone or readings were missed meanwhile.
    package var gapCount = 0
    /// Whether it has stopped and its record is accepted; only the recovery of the heart is awaited then.
    package var isSaved = false

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
