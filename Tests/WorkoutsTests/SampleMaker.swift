import HealthModel

/// Makes samples at seconds after a moment that is not special.
struct SampleMaker {
    private var made: UInt64 = 0
    private var devices: [String: Device] = [:]

    static func at(_ seconds: Double) -> Instant {
        Instant(nanosecondsSince1970: 1_790_000_000_000_000_000 + Int64((seconds * 1e9).rounded()))
    }

    static func seconds(_ instant: Instant) -> Double {
        Double(instant.nanoseconds(since: at(0))) / 1e9
    }

    static func span(_ start: Double, _ end: Double) -> Range<Instant> { at(start)..<at(end) }

    mutating func sample(
        _ type: QuantityType, _ value: Double, _ start: Double, _ end: Double? = nil,
        from device: String = "strap"
    ) throws -> QuantitySample {
        made += 1
        let known = devices[device] ?? Device(localIdentifier: device)
        devices[device] = known
        return try QuantitySample(
            id: RecordID(high: made, low: 1 << 63), type: type, start: Self.at(start),
            end: Self.at(end ?? start), quantity: Quantity(value, type.canonicalUnit),
            device: known)
    }

    /// Heart rates of instants.
    mutating func rates(_ readings: [(Double, Double)]) throws -> [QuantitySample] {
        try readings.map { try sample(.heartRate, $0.1, $0.0) }
    }
}
