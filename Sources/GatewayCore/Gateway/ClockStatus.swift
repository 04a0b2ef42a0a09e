/// How the wall clock is doing, and by what samples are dated.
package struct ClockStatus: Sendable, Equatable {
    /// By what samples are dated.
    package enum State: String, Sendable, CaseIterable {
        /// By the clock, which is set.
        case set
        /// By nothing yet: the clock is not set, and what is measured waits for that.
        case waiting
        /// From the day on which the program was made: the clock is not set, and nothing waits any longer.
        case estimated
        /// By the clock as it was before somebody set it to a time that cannot be.
        case holdover
    }

    /// By what samples are dated.
    package let state: State
    /// Maps boot time to UTC; nil when the clock was never set.
    package let epoch: ClockEpoch?
    /// Whether something keeps the clock right; nil when that is not known.
    package let isSynchronized: Bool?
    /// How many readings wait for the clock.
    package let waiting: Int

    /// Makes the status of a clock.
    package init(state: State, epoch: ClockEpoch?, isSynchronized: Bool?, waiting: Int) {
        self.state = state
        self.epoch = epoch
        self.isSynchronized = isSynchronized
        self.waiting = waiting
    }

    init(_ dating: TimestampResolver, isSynchronized: Bool?, waiting: Int) {
        let state: State =
            switch (dating.isDatedByClock, dating.isSet) {
            case (true, true): .set
            case (true, false): .holdover
            case (false, _): dating.epoch == nil ? .waiting : .estimated
            }
        self.init(
            state: state, epoch: dating.isDatedByClock ? dating.epoch : nil,
            isSynchronized: isSynchronized, waiting: waiting)
    }
}
