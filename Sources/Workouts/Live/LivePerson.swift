package import GatewayCore
package import HealthModel

/// The live state of one person, with or without a workout: the heart rate and the newest values.
///
/// It is a value without a clock; it follows from the added records. The rule for the heart rate is
/// that of a live workout, so that both always agree on what is fresh. Its memory is bounded,
/// however long it lives.
package struct LivePerson: Sendable {
    /// The age from which a record is ignored, and a silent device forgotten, in seconds.
    static let ageLimitSeconds = 600.0
    /// How long a value is shown after its time, in seconds.
    static let valueSeconds = 300.0
    /// The maximum number of values; the newest ones are shown.
    package static let maximumValueCount = 64
    /// The maximum number of devices with a battery; more are ignored.
    private static let maximumBatteryCount = 64
    /// The types that are no values: the heart rate has rules of its own, and each beat is too much.
    private static let omittedTypes: Set<QuantityType> = [.heartRate, .rrInterval]

    private struct Stream: Hashable {
        let type: QuantityType
        let device: String
    }

    private var heart = FreshReadings(limitSeconds: WorkoutTally.heartLimitSeconds)
    private var values: [Stream: LiveValue] = [:]
    private var batteries: [String: (charge: Double, time: Instant)] = [:]

    /// Creates the state of a person of whom nothing was measured.
    package init() {}

    /// Adds a sample or a device event of the person; other records are ignored.
    package mutating func add(
        _ record: Record, at now: Instant, roles: [String: People.Role] = [:]
    ) {
        let age = now.seconds(since: record.span.end)
        guard age < Self.ageLimitSeconds, age >= -LiveWorkoutBuilder.futureSeconds else { return }
        switch record {
        case .sample(let sample): add(sample, at: now, roles)
        case .event(let event):
            heart.update(event, roles: roles)
            updateBattery(event)
        default: break
        }
    }

    /// The records at the start of which only the last needs to be added: samples of one stream in the order
    /// of their times, of which the last is shown in place of the others, or a single record.
    ///
    /// Finding them costs less than adding them: a batch often has many samples of one stream. Only the value
    /// of the last is looked at: the values that are published are plausible.
    ///
    /// - Parameter records: At least one record.
    package static func run(of records: ArraySlice<Record>, at now: Instant) -> ArraySlice<Record> {
        var next = records.startIndex + 1
        guard case .sample(var last) = records[records.startIndex], last.type != .heartRate,
            last.metadata.isEmpty
        else { return records[..<next] }
        let limit = now.later(bySeconds: LiveWorkoutBuilder.futureSeconds)
        while next < records.endIndex, case .sample(let sample) = records[next],
            sample.end >= last.end, sample.end <= limit, sample.isOfSameStream(as: last)
        {
            last = sample
            next += 1
        }
        while next > records.startIndex + 1, !records[next - 1].isShown { next -= 1 }
        return records[..<next]
    }

    private mutating func add(
        _ sample: QuantitySample, at now: Instant, _ roles: [String: People.Role]
    ) {
        // What was calculated for a workout is not a measurement.
        guard sample.metadata[.workout] == nil, let value = WorkoutTally.value(of: sample) else {
            return
        }
        if sample.type == .heartRate {
            heart.forgetDevices(lastSeenBefore: now.later(bySeconds: -Self.ageLimitSeconds))
            heart.update(value, of: sample, roles: roles)
        } else if !Self.omittedTypes.contains(sample.type) {
            insert(LiveValue(sample), at: now)
        }
    }

    private mutating func insert(_ value: LiveValue, at now: Instant) {
        let stream = Stream(type: value.type, device: value.deviceIdentifier)
        if let known = values[stream], known.time > value.time { return }
        values[stream] = value
        guard values.count > Self.maximumValueCount else { return }
        values = values.filter { $0.value.isFresh(at: now) }
        while values.count > Self.maximumValueCount,
            let oldest = values.min(by: { $0.value.age < $1.value.age })
        { values[oldest.key] = nil }
    }

    /// A charge is reported when it changes, so it counts for as long as the link is open.
    private mutating func updateBattery(_ event: DeviceEvent) {
        let device = DeviceRanking.identifier(of: event.device)
        if let known = batteries[device], known.time > event.at { return }
        switch event.state.connection {
        case .connecting, .disconnected: batteries[device] = nil
        case .connected, .stale, nil: break
        }
        guard let charge = event.state.battery,
            batteries[device] != nil || batteries.count < Self.maximumBatteryCount
        else { return }
        batteries[device] = (charge, event.at)
    }

    /// Changes the roles of the person's devices.
    package mutating func assign(_ roles: [String: People.Role]) { heart.assign(roles) }

    /// Forgets all measured values, since the clock was set: their times are of another clock.
    package mutating func forgetValues() {
        heart = FreshReadings(limitSeconds: WorkoutTally.heartLimitSeconds)
        values = [:]
    }

    /// The heart rate at a time.
    package func heart(at time: Instant, of subject: WorkoutSubject) -> LiveHeart {
        var live = LiveHeart(heart.heart(at: time, zones: subject.zones))
        live.silence = heart.silence
        live.zoneCount = subject.zones?.count
        live.maximum = subject.maximumHeartRate
        live.battery = heart.device(at: time).flatMap { batteries[$0]?.charge }
        return live
    }

    /// The newest fresh values by type and device, in a stable order.
    package func values(at time: Instant) -> [LiveValue] {
        values.values.filter { $0.isFresh(at: time) }.sorted { $0.order < $1.order }
    }
}

extension Record {
    /// Whether it is a sample with a value that can be shown.
    fileprivate var isShown: Bool {
        guard case .sample(let sample) = self else { return false }
        return WorkoutTally.value(of: sample) != nil
    }
}
