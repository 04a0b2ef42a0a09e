import GatewayHost
import HealthModel
import JSON

/// Makes samples from manually entered values.
struct EnteredSample {
    /// The person that the sample belongs to; nil for none.
    let person: String?
    /// The IANA name of the person's time zone, if known.
    let timeZone: String?
    /// Distinguishes samples that are entered with the same time.
    let key: UInt64

    /// Rounds a time down to whole milliseconds.
    static func wholeMilliseconds(_ instant: Instant) -> Instant {
        instant.adding(nanoseconds: -(instant.nanosecondsSince1970 % 1_000_000))
    }

    /// Makes a sample.
    ///
    /// - Parameter old: The metadata of the sample that it replaces.
    /// - Throws: ``HostError`` if the value or the period is out of range for the type.
    func make(
        _ type: QuantityType, _ quantity: Quantity, _ span: ClosedRange<Instant>,
        replacing old: Metadata = Metadata()
    ) throws(HostError) -> QuantitySample {
        guard type.isPlausible(quantity) else { throw Self.implausible(type, quantity) }
        guard
            span.upperBound.nanoseconds(since: span.lowerBound) <= EnteredRecord.maximumNanoseconds
        else {
            throw HostError(.usage, "--from must be at most one year before --at")
        }
        do {
            var metadata = try old.ofNextVersion()
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

    /// The error of a value out of range; names the range, never the value.
    private static func implausible(_ type: QuantityType, _ quantity: Quantity) -> HostError {
        var bounds = ""
        if let range = type.plausibleRange {
            bounds =
                ": expected \(Number.string(range.lowerBound)) to "
                + "\(Number.string(range.upperBound)) \(type.canonicalUnit.string)"
        }
        let isPercent = quantity.unit == .percent && quantity.value > 1
        let remedy = isPercent ? "; % is a fraction: write 97 % as 0.97 %" : ""
        return HostError(.usage, "VALUE is out of range for \(type.name)\(bounds)\(remedy)")
    }
}

extension Metadata {
    /// The metadata of a correction: a store keeps the highest version of a record.
    fileprivate func ofNextVersion() throws(MetadataError) -> Metadata {
        guard let identifier = self[.syncIdentifier], let version = self[.syncVersion] else {
            return self
        }
        var next = self
        // A large version is not changed by 1.
        try next.setSync(identifier: identifier, version: Swift.max(version + 1, version.nextUp))
        return next
    }
}
