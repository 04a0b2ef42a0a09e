import GatewayCore
import HealthModel
import Platform
import Readings

/// Makes the records of a chest strap, as the gateway does: a heart rate and R-R intervals each
/// second.
struct StrapRecords {
    private var converter = Converter(
        device: "D0:11:22:33:44:55", source: SourceRevision(name: "straps", version: "1.0.0"),
        person: "ada")
    /// A constant time in the past, so that record ids are the same in every round.
    private let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_790_000_000_000_000_000)
    private var now = BootInstant(nanoseconds: 0)
    private var ready: [Record] = []

    init() {
        let strap = Device(
            name: "Polar H10 8A2F", manufacturer: "Polar Electro Oy", model: "H10",
            firmwareVersion: "5.0.0", serial: "C05A1E2F")
        _ = converter.linkOpened(strap, at: now, in: epoch)
    }

    /// Makes the next records.
    mutating func next(_ count: Int) throws -> [Record] {
        while ready.count < count { ready += try second().records }
        defer { ready.removeFirst(count) }
        return Array(ready.prefix(count))
    }

    /// Makes batches of `size` records.
    mutating func batches(_ count: Int, of size: Int) throws -> [[Record]] {
        try (0..<count).map { _ in try next(size) }
    }

    /// Makes the conversion of one second, for publishing.
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

    /// Makes a conversion of heart rates, a millisecond apart.
    mutating func rates(_ count: Int) throws -> Conversion {
        let rate = try Quantity(60, .countPerMinute)
        return converter.convert(
            (0..<count).map { _ in
                now = now.adding(nanoseconds: 1_000_000)
                return TimedReading(.instant(.heartRate, rate), at: now)
            }, in: epoch)
    }
}
