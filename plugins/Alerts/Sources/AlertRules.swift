import Platform

/// Decides which alerts begin and end, from one look at the gateway to the next.
///
/// It has no clock and does nothing: a look has its time.
struct AlertRules: Sendable {
    /// A battery is no longer low when its charge is above the limit by this much: it varies with the temperature.
    static let batteryRecovery = 0.05
    /// A device counts as used in a workout when it was seen after this time before its start, in seconds.
    static let usedBeforeSeconds = 600.0

    private let limits: AlertLimits
    /// The alerts that have begun, with their last message.
    private var raised: [String: Alert] = [:]
    /// Since when a sink or a source fails, by the id of its alert.
    private var failing: [String: BootInstant] = [:]

    /// Makes rules without an alert that has begun.
    init(_ limits: AlertLimits) {
        self.limits = limits
    }

    /// Returns what has begun and ended since the last look.
    mutating func look(at facts: AlertFacts, at now: BootInstant) -> [Alert] {
        var present: [Alert] = []
        for device in facts.devices {
            if let alert = battery(device) { present.append(alert) }
            if let alert = silence(device, facts) { present.append(alert) }
        }
        let failures = failures(facts)
        failing = failures.reduce(into: [:]) { $0[$1.id] = failing[$1.id] ?? now }
        present += failures.filter { alert in
            now.seconds(since: failing[alert.id] ?? now) >= limits.failingSeconds
        }
        return changes(to: present)
    }

    /// The alerts that are new, and the ends of those that are gone.
    private mutating func changes(to present: [Alert]) -> [Alert] {
        let now = Dictionary(present.map { ($0.id, $0) }) { first, _ in first }
        let begun = now.values.filter { raised[$0.id] == nil }
        let ended = raised.values.filter { now[$0.id] == nil }.map {
            Alert(kind: $0.kind, subject: $0.subject, isRaised: false, message: Self.end(of: $0))
        }
        raised = now
        return (begun + ended).sorted {
            ($0.isRaised ? 1 : 0, $0.id) < ($1.isRaised ? 1 : 0, $1.id)
        }
    }

    private static func end(of alert: Alert) -> String {
        switch alert.kind {
        case .batteryLow: "the battery is charged, replaced, or not reported any more"
        case .noData: "the device sends data again, or the workout does not run any more"
        case .sinkFailing: "the sink works again"
        case .sourceFailing: "the source works again"
        }
    }

    // MARK: Devices

    private func battery(_ device: AlertFacts.Device) -> Alert? {
        guard let charge = device.battery else { return nil }
        let isRaised = raised[Alert.id(.batteryLow, device.identifier)] != nil
        let limit = limits.battery + (isRaised ? Self.batteryRecovery : 0)
        guard charge < limit else { return nil }
        let percent = Int((min(max(charge, 0), 1) * 100).rounded())
        return Alert(
            kind: .batteryLow, subject: device.identifier, isRaised: true,
            message: "the battery of \(device.title) is at \(percent) %")
    }

    /// A device that was used in the running workout of its person, and sends nothing any more.
    private func silence(_ device: AlertFacts.Device, _ facts: AlertFacts) -> Alert? {
        guard let person = device.person, let workout = facts.workoutSeconds[person],
            let silence = device.silentSeconds, silence >= limits.silentSeconds,
            silence <= workout + Self.usedBeforeSeconds
        else { return nil }
        return Alert(
            kind: .noData, subject: device.identifier, isRaised: true,
            message: "no data from \(device.title) in a running workout")
    }

    // MARK: Sinks and sources

    /// The sinks and sources that fail now.
    private func failures(_ facts: AlertFacts) -> [Alert] {
        let kinds: [(Alert.Kind, String, [AlertFacts.Part])] = [
            (.sinkFailing, "sink", facts.sinks), (.sourceFailing, "source", facts.sources),
        ]
        return kinds.flatMap { kind, word, parts in
            parts.compactMap { part in
                part.failure.map { reason in
                    Alert(
                        kind: kind, subject: part.name, isRaised: true,
                        message: "the \(word) \(part.name) is failing: \(reason)")
                }
            }
        }
    }
}
