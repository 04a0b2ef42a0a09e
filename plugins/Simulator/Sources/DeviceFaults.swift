import Platform

/// The faults of one device over time.
///
/// A fault with a duration is active until its end. A fault of a packet waits for the next packet. The
/// same seed gives the same faults at the same times.
struct DeviceFaults: Sendable {
    /// The times of one kind.
    private struct Course {
        let setting: FaultSetting
        /// The index of the next stated time.
        var next = 0
        /// The next random time.
        var random: Double?
        /// The end of the fault that has begun last.
        var end = -Double.infinity
        /// Whether it waits for the next packet.
        var isPending = false
    }

    /// The bounds of the time between two faults, as shares of its mean.
    private static let intervalShares = 0.5..<1.5

    private var courses: [Course]
    private var generator: SeededGenerator

    /// Makes the faults of a device.
    init(_ settings: [FaultSetting], seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        courses = settings.map { Course(setting: $0) }
        for index in courses.indices { scheduleRandom(index, after: 0) }
    }

    /// Begins the faults that are due at a time in seconds since the start, which must not decrease.
    mutating func advance(to seconds: Double) {
        for index in courses.indices {
            let times = courses[index].setting.times
            while courses[index].next < times.count, times[courses[index].next] <= seconds {
                begin(index, at: times[courses[index].next])
                courses[index].next += 1
            }
            while let time = courses[index].random, time <= seconds {
                begin(index, at: time)
                scheduleRandom(index, after: time + courses[index].setting.seconds)
            }
        }
    }

    /// Whether a fault with a duration is active.
    func isActive(_ kind: FaultSetting.Kind, at seconds: Double) -> Bool {
        courses.contains { $0.setting.kind == kind && seconds < $0.end }
    }

    /// Returns whether the next packet has a fault, and removes the fault.
    mutating func take(_ kind: FaultSetting.Kind) -> FaultSetting? {
        let index = courses.firstIndex { $0.setting.kind == kind && $0.isPending }
        guard let index else { return nil }
        courses[index].isPending = false
        return courses[index].setting
    }

    private mutating func begin(_ index: Int, at seconds: Double) {
        let setting = courses[index].setting
        if setting.seconds > 0 {
            courses[index].end = max(courses[index].end, seconds + setting.seconds)
        } else {
            courses[index].isPending = true
        }
    }

    /// Draws the time of the next fault.
    private mutating func scheduleRandom(_ index: Int, after seconds: Double) {
        guard let mean = courses[index].setting.meanSeconds else { return }
        let share = Double.random(in: Self.intervalShares, using: &generator)
        // At most one in a second: a device sends one packet a second.
        courses[index].random = seconds + max(1, share * mean)
    }
}
