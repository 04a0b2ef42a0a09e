package import Readings

/// The status of the wall clock and of the dating of samples.
package struct ClockStatus: Sendable, Equatable {
    /// The time base of samples.
    package enum State: String, Sendable, CaseIterable {
        /// The wall clock, which is set.
        case set
        /// None yet: the clock is not set, and readings wait.
        case waiting
        /// An estimate from the build date on: the clock is not set, and readings no longer wait.
        case estimated
        /// The clock as it was before it was set to an impossible time.
        case holdover
    }

    /// The time base of samples.
    package let state: State
    /// The mapping from boot time to UTC; nil if the clock was never set.
    package let epoch: ClockEpoch?
    /// Whether the clock is synchronized; nil if unknown.
    package let isSynchronized: Bool?
    /// The number of readings that wait for the clock.
    package let waiting: Int

    /// Makes the status of a clock.
    package init(state: State, epoch: ClockEpoch?, isSynchronized: Bool?, waiting: Int) {
        self.state = state
        self.epoch = epoch
        self.isSynchronized = isSynchronized
        self.waiting = waiting
    }

    init(_ resolver: TimestampResolver, isSynchronized: Bool?, waiting: Int) {
        let state: State =
            switch (resolver.isDatedByClock, resolver.isSet) {
            case (true, true): .set
            case (true, false): .holdover
            case (false, _): resolver.epoch == nil ? .waiting : .estimated
            }
        self.init(
            state: state, epoch: resolver.isDatedByClock ? resolver.epoch : nil,
            isSynchronized: isSynchronized, waiting: waiting)
    }
}
