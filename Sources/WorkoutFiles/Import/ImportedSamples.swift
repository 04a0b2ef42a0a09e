package import HealthModel

/// The samples of an imported workout in time order, each made when it is read.
///
/// Only times and values are held, in series of one type: those of a day need a tenth of the memory
/// of its samples.
package struct ImportedSamples: Hashable, Sendable {
    /// The values of one type, in time order.
    struct Series: Hashable, Sendable {
        let type: QuantityType
        let device: Device?
        /// The stream that the ids are made from.
        let stream: String
        /// The values; each reading has an empty span.
        var values: [ImportDraft.Amount]
        /// The values of the file that `values` are parts of; empty when they are whole.
        var wholes: [ImportDraft.Amount] = []
    }

    private let identity: ImportIdentity
    /// What each sample has in common: the workout that it was imported with.
    var metadata: Metadata
    private(set) var series: [Series] = []

    init(identity: ImportIdentity, metadata: Metadata) {
        self.identity = identity
        self.metadata = metadata
    }

    /// Joins samples of different types of one file; nil without any.
    init?(joining parts: [ImportedSamples]) {
        guard var joined = parts.first else { return nil }
        joined.series = parts.flatMap(\.series)
        self = joined
    }

    /// The samples of one type each.
    var ofEachType: [ImportedSamples] {
        series.map { series in
            var part = self
            part.series = [series]
            return part
        }
    }

    /// The number of samples.
    package var count: Int { series.reduce(0) { $0 + $1.values.count } }

    /// The types of the samples.
    package var types: [QuantityType] { series.map(\.type) }

    /// Adds the values of a type that are valid samples; returns the number of others.
    mutating func add(
        _ values: [ImportDraft.Amount], of type: QuantityType, from device: Device?, stream: String
    ) -> Int {
        var new = Series(type: type, device: device, stream: stream, values: [])
        var valid = values.exactly { sample($0, of: new) != nil }
        if !valid.isOrdered { valid.sort(by: ImportDraft.Amount.isEarlier) }
        new.values = valid
        if !valid.isEmpty { series.append(new) }
        return values.count - valid.count
    }

    /// The same samples with other values for each series; empty series are left out.
    func replacing(_ new: (Series) -> Series) -> ImportedSamples {
        var changed = self
        changed.series = series.map(new).filter { !$0.values.isEmpty }
        return changed
    }
}

// MARK: Samples

extension ImportedSamples {
    /// The ids of the whole values of a series, in order.
    func ids(of series: Series) -> [RecordID] { series.values.map { id(of: $0, in: series) } }

    /// The id of a part of a value: that of the value itself when it is the whole of it.
    func id(of part: ImportDraft.Amount, whole: ImportDraft.Amount, in series: Series) -> RecordID {
        let id = id(of: whole, in: series)
        guard part.value != whole.value else { return id }
        return .make(
            start: part.span.lowerBound, device: id.description, stream: "part",
            key: part.value.bitPattern)
    }

    /// The ids of all samples, in no order.
    package struct IDs: Sequence, Sendable {
        fileprivate let samples: ImportedSamples

        package func makeIterator() -> AnyIterator<RecordID> {
            let ids = samples.series.lazy.flatMap { series in
                series.values.indices.lazy.map { samples.id(at: $0, of: series) }
            }
            return AnyIterator(ids.makeIterator())
        }

        package var underestimatedCount: Int { samples.count }
    }

    /// The ids of all samples, in no order.
    package var ids: IDs { IDs(samples: self) }

    fileprivate func id(at index: Int, of series: Series) -> RecordID {
        let value = series.values[index]
        guard !series.wholes.isEmpty else { return id(of: value, in: series) }
        return id(of: value, whole: series.wholes[index], in: series)
    }

    private func id(of value: ImportDraft.Amount, in series: Series) -> RecordID {
        identity.id(series.stream, value.span.lowerBound, value.span.upperBound, value.value)
    }

    fileprivate func sample(at index: Int, of series: Series) -> QuantitySample? {
        let value = series.values[index]
        guard !series.wholes.isEmpty else { return sample(value, of: series) }
        let whole = series.wholes[index]
        guard value.value != whole.value else { return sample(whole, of: series) }
        return sample(value, of: series, id: id(of: value, whole: whole, in: series))
    }

    private func sample(
        _ value: ImportDraft.Amount, of series: Series, id: RecordID? = nil
    ) -> QuantitySample? {
        guard let quantity = try? Quantity(value.value, series.type.canonicalUnit) else {
            return nil
        }
        return try? QuantitySample(
            id: id ?? self.id(of: value, in: series), type: series.type,
            start: value.span.lowerBound, end: value.span.upperBound, quantity: quantity,
            person: identity.person, device: series.device, source: identity.source,
            metadata: metadata)
    }
}

// MARK: Order

extension ImportedSamples: Sequence {
    /// Merges the series by time.
    package struct Iterator: IteratorProtocol {
        private let samples: ImportedSamples
        private let isByEnd: Bool
        private var places: [Int]

        fileprivate init(_ samples: ImportedSamples, isByEnd: Bool = false) {
            self.samples = samples
            self.isByEnd = isByEnd
            places = samples.series.map { _ in 0 }
        }

        /// The earliest sample that was not returned.
        package mutating func next() -> QuantitySample? {
            while let earliest = earliest() {
                defer { places[earliest] += 1 }
                let series = samples.series[earliest]
                if let sample = samples.sample(at: places[earliest], of: series) { return sample }
            }
            return nil
        }

        private func earliest() -> Int? {
            var found: (series: Int, first: Instant, second: Instant)?
            for (index, series) in samples.series.enumerated() {
                guard places[index] < series.values.count else { continue }
                let span = series.values[places[index]].span
                let (first, second) =
                    isByEnd
                    ? (span.upperBound, span.lowerBound) : (span.lowerBound, span.upperBound)
                if let found, (found.first, found.second) <= (first, second) { continue }
                found = (index, first, second)
            }
            return found?.series
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }

    /// The samples in the order of their ends.
    package func byEnd() -> IteratorSequence<Iterator> {
        IteratorSequence(Iterator(self, isByEnd: true))
    }
}

extension ImportDraft.Amount {
    fileprivate static func isEarlier(_ one: Self, _ other: Self) -> Bool {
        (one.span.lowerBound, one.span.upperBound) < (other.span.lowerBound, other.span.upperBound)
    }
}

extension [ImportDraft.Amount] {
    fileprivate var isOrdered: Bool {
        zip(self, dropFirst()).allSatisfy { !ImportDraft.Amount.isEarlier($1, $0) }
    }
}
