import HealthModel
import Platform

/// Selects what is sent of a person's heart rate: each new value while it is fresh, and otherwise
/// that there is none.
///
/// It is pure: the time comes with every event.
struct HeartRelay: Sendable {
    /// The least time between two values; a faster sensor is thinned out.
    static let gapSeconds = 0.25
    /// The pause after which lost contact is sent again, as a strap does.
    static let repeatSeconds = 1.0

    /// The name of the person.
    let person: String
    /// The age from which a heart rate is not sent any more, in seconds.
    let silenceSeconds: Double

    /// The device whose values are sent: another one takes its place when it is silent.
    private var device: String?
    /// When its last value came; nil when it has none, or has lost contact since.
    private var lastValue: BootInstant?
    /// When a heart rate was sent; nil when lost contact was sent since.
    private var lastSent: BootInstant?
    /// When lost contact was sent.
    private var lastLoss: BootInstant?
    /// A value that waits for the gap, and the intervals that have not been sent.
    private var waiting: UInt16?
    private var intervals: [UInt16] = []
    private var isSubscribed = false

    /// The most intervals that are kept.
    private static let intervalLimit = 16

    init(person: String, silenceSeconds: Double) {
        self.person = person
        self.silenceSeconds = silenceSeconds
    }

    /// The time of the next ``timer(at:)``; nil while nobody reads.
    var wakeTime: BootInstant? {
        guard isSubscribed else { return nil }
        guard let lastValue else {
            return lastLoss?.adding(seconds: Self.repeatSeconds)
        }
        let silence = lastValue.adding(seconds: silenceSeconds)
        guard waiting != nil, let lastSent else { return silence }
        return min(silence, lastSent.adding(seconds: Self.gapSeconds))
    }

    /// Whether a heart rate is known at a time.
    func hasHeartRate(at now: BootInstant) -> Bool {
        lastValue.map { now.seconds(since: $0) < silenceSeconds } ?? false
    }

    /// A central has subscribed, or the last one has left.
    mutating func subscriptionChanged(to isOn: Bool, at now: BootInstant) -> HeartRatePacket? {
        isSubscribed = isOn
        return isOn && !hasHeartRate(at: now) ? lose(at: now) : nil
    }

    /// Records that were published together; `time` is the present time of their clock.
    mutating func receive(
        _ records: [Record], at now: BootInstant, time: Instant
    ) -> HeartRatePacket? {
        var isLost = false
        for record in records {
            switch record {
            case .sample(let sample) where isWanted(sample, at: now, time: time):
                if receiveRate(sample, at: now) { isLost = false }
            case .event(let event) where isLoss(event): isLost = true
            default: break
            }
        }
        guard !isLost else { return lose(at: now) }
        // Intervals may come before the heart rate that they belong to.
        for case .sample(let sample) in records where isWanted(sample, at: now, time: time) {
            receiveInterval(sample)
        }
        if !isSubscribed { (waiting, intervals) = (nil, []) }
        return next(at: now)
    }

    /// The wake time has come.
    mutating func timer(at now: BootInstant) -> HeartRatePacket? {
        hasHeartRate(at: now) ? next(at: now) : lose(at: now)
    }
}

extension HeartRelay {
    private func isWanted(_ sample: QuantitySample, at now: BootInstant, time: Instant) -> Bool {
        guard sample.person == person, let origin = sample.device?.localIdentifier else {
            return false
        }
        return isFresh(sample, at: time) && (device == origin || !hasHeartRate(at: now))
    }

    /// Takes a heart rate; returns whether the sample is one.
    private mutating func receiveRate(_ sample: QuantitySample, at now: BootInstant) -> Bool {
        guard sample.type == .heartRate,
            let value = try? sample.quantity.value(in: .countPerMinute).rounded(),
            let rate = UInt16(exactly: value), rate > 0
        else { return false }
        let origin = sample.device?.localIdentifier
        if device != origin { intervals = [] }
        device = origin
        lastValue = now
        waiting = rate
        return true
    }

    private mutating func receiveInterval(_ sample: QuantitySample) {
        guard sample.type == .rrInterval, sample.device?.localIdentifier == device,
            let seconds = try? sample.quantity.value(in: .second),
            let ticks = UInt16(exactly: (seconds * 1_024).rounded())
        else { return }
        intervals = (intervals + [ticks]).suffix(Self.intervalLimit)
    }

    /// Whether a sample is of now: a store that is filled later, an import or a clock that was wrong
    /// has others.
    private func isFresh(_ sample: QuantitySample, at time: Instant) -> Bool {
        abs(Double(time.nanoseconds(since: sample.end))) < silenceSeconds * 1e9
    }

    private func isLoss(_ event: DeviceEvent) -> Bool {
        guard event.device.localIdentifier == device, device != nil else { return false }
        return event.state.contact == false || event.state.connection == .disconnected
    }

    private mutating func next(at now: BootInstant) -> HeartRatePacket? {
        guard isSubscribed, let rate = waiting, !isTooSoon(at: now) else { return nil }
        defer { (waiting, intervals, lastSent) = (nil, [], now) }
        return .heart(rate: rate, intervals: intervals)
    }

    private func isTooSoon(at now: BootInstant) -> Bool {
        lastSent.map { now.seconds(since: $0) < Self.gapSeconds } ?? false
    }

    private mutating func lose(at now: BootInstant) -> HeartRatePacket? {
        (lastValue, lastSent, waiting, intervals) = (nil, nil, nil, [])
        guard isSubscribed else { return nil }
        lastLoss = now
        return .noContact
    }
}
