package import HealthModel

/// The times at which a file has values, by their type.
package struct ImportCoverage: Hashable, Sendable {
    /// Values that follow each other within this time are one span: files repeat a reading until the next one.
    private static let maximumGap: Int64 = 10_000_000_000
    /// By how much less the times of readings in two files differ: they are whole seconds.
    private static let rounding: Int64 = 1_000_000_000

    /// The spans of each type, in time order.
    private var spans: [QuantityType: [ClosedRange<Instant>]] = [:]

    /// The coverage of a file without values.
    package init() {}

    /// The coverage of samples.
    ///
    /// - Parameter samples: In the order of their starts.
    package init(_ samples: some Sequence<QuantitySample>) {
        for sample in samples { add(sample.start...sample.end, of: sample.type) }
    }

    /// The types of the values.
    package var types: Set<QuantityType> { Set(spans.keys) }

    /// The parts of the time of a sample at which the file has values of one of some types.
    ///
    /// - Returns: Of an amount, the parts without gaps between them; else the whole time or nothing.
    package func parts(
        of span: ClosedRange<Instant>, type: QuantityType, as types: Set<QuantityType>
    ) -> [ClosedRange<Instant>] {
        let known = types.sorted { $0.name < $1.name }.flatMap { spans[$0] ?? [] }
        guard type.isCumulative, span.lowerBound < span.upperBound else {
            let half = span.upperBound.nanoseconds(since: span.lowerBound) / 2
            let middle = span.lowerBound.adding(nanoseconds: half)
            return known.contains { Self.has($0, middle) } ? [span] : []
        }
        return known.filter { $0.overlaps(span) }.map { $0.clamped(to: span) }
            .filter { $0.lowerBound < $0.upperBound }
    }

    private static func has(_ span: ClosedRange<Instant>, _ reading: Instant) -> Bool {
        span.lowerBound.nanoseconds(since: reading) < rounding
            && reading.nanoseconds(since: span.upperBound) < rounding
    }

    private mutating func add(_ span: ClosedRange<Instant>, of type: QuantityType) {
        var all = spans.removeValue(forKey: type) ?? []
        if let last = all.last,
            span.lowerBound.nanoseconds(since: last.upperBound) <= Self.maximumGap
        {
            all.removeLast()
            all.append(last.lowerBound...max(last.upperBound, span.upperBound))
        } else {
            all.append(span)
        }
        spans[type] = all
    }
}

// MARK: Text

extension ImportCoverage {
    /// One line for each type: its name, and the nanoseconds of the starts and ends.
    package var text: String {
        spans.sorted { $0.key.name < $1.key.name }.map { type, spans in
            let times = spans.flatMap { [$0.lowerBound, $0.upperBound] }
            return ([type.name] + times.map { "\($0.nanosecondsSince1970)" })
                .joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Reads the text; nil when it is not valid.
    ///
    /// Types that are not declared are left out.
    package init?(text: some StringProtocol, types: QuantityTypes) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let times = words.dropFirst().compactMap { Int64($0) }.map {
                Instant(nanosecondsSince1970: $0)
            }
            guard let name = words.first, times.count == words.count - 1, times.count % 2 == 0
            else { return nil }
            guard let type = types.named(String(name)) else { continue }
            for index in stride(from: 0, to: times.count, by: 2) {
                guard times[index] <= times[index + 1] else { return nil }
                spans[type, default: []].append(times[index]...times[index + 1])
            }
        }
    }
}
