import GatewayCore
import HealthModel

/// The newest readings of one type by device, for live display; stale readings are not shown.
///
/// It follows the rule of ``SourceArbiter``, but detects a lost device earlier, through device
/// events.
struct FreshReadings: Sendable {
    struct Newest: Sendable {
        let value: Double
        let time: Instant
        let device: String?
        let isBackup: Bool
        /// The index in the ranking.
        let index: Int
    }

    private struct State: Sendable {
        var newest: (value: Double, time: Instant)?
        var run = ReadingRun()
        var hasNoContact = false
        /// The time of the last reading or event of interest.
        var lastSeen: Instant
    }

    let limitSeconds: Double
    private var ranking = DeviceRanking()
    private var states: [State] = []
    /// The index of the device shown last.
    private var shown: Int?

    init(limitSeconds: Double) {
        self.limitSeconds = limitSeconds
    }

    mutating func update(
        _ value: Double, of sample: QuantitySample, roles: [String: People.Role]
    ) {
        guard let index = register(sample.device, at: sample.end, roles) else { return }
        if let newest = states[index].newest, newest.time > sample.end { return }
        states[index].run.extend(sample.end, limitSeconds: limitSeconds)
        states[index].newest = (value, sample.end)
        states[index].hasNoContact = false
        shown = newest(at: sample.end)?.index ?? shown
    }

    /// Applies a device event: a lost device has no fresh reading.
    mutating func update(_ event: DeviceEvent, roles: [String: People.Role]) {
        let state = event.state
        // A device without a heart rate matters only if it reports missing skin contact.
        let isOfInterest = ranking.index(of: event.device) != nil || state.contact == false
        guard isOfInterest, let index = register(event.device, at: event.at, roles) else { return }
        if state.contact == false {
            states[index].newest = nil
            states[index].hasNoContact = true
        } else if state.contact == true || state == DeviceState() {
            states[index].hasNoContact = false
        }
        switch state.connection {
        case .disconnected, .stale, .connecting:
            states[index].newest = nil
            states[index].hasNoContact = false
        case .connected: states[index].hasNoContact = false
        case nil: break
        }
        if states[index].newest == nil { states[index].run.interrupt() }
    }

    private mutating func register(
        _ device: Device?, at time: Instant, _ roles: [String: People.Role]
    ) -> Int? {
        guard let index = ranking.register(device, at: time, roles: roles) else { return nil }
        while states.count < ranking.devices.count { states.append(State(lastSeen: time)) }
        states[index].lastSeen = max(states[index].lastSeen, time)
        return index
    }

    /// The newest reading of the best available device; nil when none is fresh.
    func newest(at time: Instant) -> Newest? {
        var best: Int?
        for index in states.indices where isFresh(index, at: time) {
            if let other = best, !isBetter(index, than: other) { continue }
            best = index
        }
        guard let best, let newest = states[best].newest else { return nil }
        return Newest(
            value: newest.value, time: newest.time, device: ranking.name(of: best),
            isBackup: ranking.isBackup(best), index: best)
    }

    private func isFresh(_ index: Int, at time: Instant) -> Bool {
        guard let newest = states[index].newest else { return false }
        return abs(time.seconds(since: newest.time)) < limitSeconds
    }

    private func isBetter(_ left: Int, than right: Int) -> Bool {
        let (first, second) = (states[left].run.isSteady, states[right].run.isSteady)
        return first == second ? ranking.isBetter(left, than: right) : first
    }

    /// The best device without skin contact.
    private var loose: Int? {
        states.indices.filter { states[$0].hasNoContact }
            .min { ranking.isBetter($0, than: $1) }
    }

    /// The state of the heart rate for display.
    func heart(at time: Instant, zones: HeartRateZones?) -> LiveWorkout.Heart {
        if let newest = newest(at: time) {
            return .rate(
                newest.value, zone: zones?.zone(of: newest.value), device: newest.device,
                isBackup: newest.isBackup)
        }
        if let loose { return .noContact(device: ranking.name(of: loose)) }
        return silence
    }

    /// The state of the heart rate without a fresh reading, as far as it follows from readings alone.
    var silence: LiveWorkout.Heart {
        guard let shown else { return .waiting }
        return .lost(device: ranking.name(of: shown))
    }
}

/// What readings without an end need, such as those of a gateway that runs for months.
extension FreshReadings {
    /// The identifier of the device whose state ``heart(at:zones:)`` shows; nil when it has none.
    func device(at time: Instant) -> String? {
        let index = newest(at: time)?.index ?? loose ?? shown
        return index.map { ranking.devices[$0].identifier }
    }

    /// Changes the roles of the devices.
    mutating func assign(_ roles: [String: People.Role]) { ranking.assign(roles) }

    /// Forgets the devices that were last seen before a time.
    ///
    /// One of another day is not the reason that the present one is a backup, and takes no place. A
    /// reading must follow, whose device is shown then.
    mutating func forgetDevices(lastSeenBefore time: Instant) {
        for index in states.indices.reversed() where states[index].lastSeen < time {
            if shown == index { shown = nil }
            if let other = shown, other > index { shown = other - 1 }
            ranking.remove(at: index)
            states.remove(at: index)
        }
    }
}
