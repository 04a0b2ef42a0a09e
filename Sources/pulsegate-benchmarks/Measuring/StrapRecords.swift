import GatewayCore
import HealthModel
import Platform

/// Makes the records of a chest strap, as the gateway would: a heart rate each second and the beats.
struct StrapRecords {
    private var converter = Converter(
        device: "D0:11:22:33:44:55", source: SourceRevision(name: "straps", version: "1.0.0"),
        person: "ada")
    /// In the past, and the same in every round: the same records get the same ids.
    private let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_790_000_000_000_000_000)
    private var now = BootInstant(nanoseconds: 0)
    private var ready: [Record] = []

    init() {
        let strap = Device(
            name: "Polar H10 8A2F", manufacturer: "Polar Electro Oy", model: "H10",
            firmwareVersion: "5.0.0", serial: "C05A1E2F")
        _ = converter.linkOpened(strap, at: now, in: epoch)
    }

    /// The next so many records.
    mutating func next(_ count: Int) throws -> [Record] {
        while ready.count < count { ready += try second().records }
        defer { ready.removeFirst(count) }
        return Array(ready.prefix(count))
    }

    /// Batches of so many records.
    mutating func batches(_ count: Int, of size: Int) throws -> [[Record]] {
        try (0..<count).map { _ in try next(size) }
    }

    /// What comes of one second on somebody's chest, as a conversion that can be published.
    mutating func second() throws -> Conversion {
        now = now.adding(nanoseconds: 1_000_000_000)
        let rate = try Quantity(60, .countPerMinute)
        return converter.convert(
            [
                TimedReading(.instant(.heartRate, rate), at: now),
                TimedReading(
                    .beats(BeatsReading(ticks: [1_024], perSecond: 1_024)),
                    at: now.adding(nanoseconds: 1)),
            ], in: epoch)
    }

    /// A conversion of this many heart rates, a millisecond apart.
    mutating func rates(_ count: Int) throws -> Conversion {
        let rate = try Quantity(60, .countPerMinute)
        return converter.convert(
            (0..<count).map { _ in
                now = now.adding(nanoseconds: 1_000_000)
                return TimedReading(.instant(.heartRate, rate), at: now)
            }, in: epoch)
    }
}
