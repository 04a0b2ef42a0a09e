import Platform

/// How long a device may be silent, learned from the pauses between its advertisements.
struct AdvertisingInterval: Sendable {
    /// The number of pauses to learn from.
    static let pauseCount = 16
    /// The limit in seconds while too few pauses are known: some sensors send every ten minutes.
    static let unknownSeconds = 900.0
    /// The shortest limit in seconds: advertisements are lost when many devices send.
    static let shortestSeconds = 10.0

    private var pauses: [Double] = []
    private var next = 0
    private var last: BootInstant?

    /// Notes an advertisement.
    mutating func received(at now: BootInstant) {
        defer { last = now }
        guard let last else { return }
        let pause = max(0, now.seconds(since: last))
        if pauses.count < Self.pauseCount {
            pauses.append(pause)
        } else {
            pauses[next] = pause
            next = (next + 1) % Self.pauseCount
        }
    }

    /// The time in seconds without an advertisement after which the device counts as silent: three
    /// times the longest pause.
    var limitSeconds: Double {
        guard pauses.count == Self.pauseCount, let longest = pauses.max() else {
            return Self.unknownSeconds
        }
        return min(max(3 * longest, Self.shortestSeconds), Self.unknownSeconds)
    }
}
