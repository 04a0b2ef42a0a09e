import GatewayHost
import HealthModel
import JSON

/// Makes samples of values that a person enters by hand.
struct EnteredSample {
    /// Who has entered it, or of whom it is.
    let person: String
    /// The IANA name of the time zone that the person is in, where it is known.
    let timeZone: String?
    /// Tells apart what is entered with the same time.
    let key: UInt64

    /// The time in whole milliseconds: nobody who types is quicker.
    static func wholeMilliseconds(_ instant: Instant) -> Instant {
        instant.adding(nanoseconds: -(instant.nanosecondsSince1970 % 1_000_000))
    }

    /// Makes the sample of a value.
    ///
    /// - Throws: When no sample of that type can have the value, or the times.
    func make(
        _ type: QuantityType, _ quantity: Quantity, _ span: ClosedRange<Instant>
    ) throws(HostError) -> QuantitySample {
        guard type.isPlausible(quantity) else { throw Self.implausible(type, quantity) }
        guard
            span.upperBound.nanoseconds(since: span.lowerBound) <= EnteredRecord.maximumNanoseconds
        else {
            throw HostError(.usage, "--from: one value covers a year at most")
        }
        do {
            var metadata = Metadata()
            try metadata.set(true, for: .wasUserEntered)
            if let timeZone { try metadata.set(timeZone, for: .timeZone) }
            return try QuantitySample(
                id: RecordID.make(
                    start: span.lowerBound, device: "entered", stream: type.name, key: key),
                type: type, start: span.lowerBound, end: span.upperBound, quantity: quantity,
                person: person,
                source: SourceRevision(name: "pulsegate", version: Version.current),
                metadata: metadata)
        } catch {
            throw HostError(.usage, "\(error)")
        }
    }

    /// Says what the type can have, never the value.
    private static func implausible(_ type: QuantityType, _ quantity: Quantity) -> HostError {
        var bounds = ""
        if let range = type.plausibleRange {
            bounds =
                ", which goes from \(Number.string(range.lowerBound)) to "
                + "\(Number.string(range.upperBound)) \(type.canonicalUnit.string)"
        }
        let isPercent = quantity.unit == .percent && quantity.value > 1
        let remedy = isPercent ? "; % is a part of one here, so 97 % is written 0.97 %" : ""
        return HostError(.usage, "VALUE: that is no \(type.name)\(bounds)\(remedy)")
    }
}
