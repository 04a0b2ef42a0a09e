package import HealthModel

/// Samples with the fields that they share stored once: a third of the memory of an array.
package struct PackedSamples: Hashable, Sendable {
    private struct Item: Hashable, Sendable {
        let id: RecordID
        let start: Instant
        let end: Instant
        let value: Double
        /// The index of what it shares with others.
        let kind: Int32
    }

    /// The fields that most samples of a stream share.
    private struct Kind: Hashable, Sendable {
        let type: QuantityType
        let unit: Unit
        let person: String?
        let device: Device?
        let source: SourceRevision?
        let metadata: Metadata

        init(_ sample: QuantitySample) {
            type = sample.type
            unit = sample.quantity.unit
            person = sample.person
            device = sample.device
            source = sample.source
            metadata = sample.metadata
        }
    }

    private var items: [Item] = []
    private var kinds: [Kind] = []
    private var indices: [Kind: Int32] = [:]

    /// Packs samples.
    package init(_ samples: some Sequence<QuantitySample> = []) { append(samples) }

    /// Adds samples.
    package mutating func append(_ samples: some Sequence<QuantitySample>) {
        for sample in samples {
            items.appendSparingly(
                Item(
                    id: sample.id, start: sample.start, end: sample.end,
                    value: sample.quantity.value, kind: index(of: Kind(sample))))
        }
    }

    private mutating func index(of kind: Kind) -> Int32 {
        if let known = indices[kind] { return known }
        let index = Int32(kinds.count)
        kinds.append(kind)
        indices[kind] = index
        return index
    }

    /// Removes the samples that do not satisfy a predicate.
    mutating func keep(_ isWanted: (QuantitySample) -> Bool) {
        let kinds = kinds
        items.removeAll { !(Self.sample($0, kinds).map(isWanted) ?? false) }
    }

    /// Sorts the samples by their ends.
    package mutating func sortByEnd() {
        items.sort { ($0.end, $0.start, $0.id) < ($1.end, $1.start, $1.id) }
    }

    private static func sample(_ item: Item, _ kinds: [Kind]) -> QuantitySample? {
        let kind = kinds[Int(item.kind)]
        guard let quantity = try? Quantity(item.value, kind.unit) else { return nil }
        return try? QuantitySample(
            id: item.id, type: kind.type, start: item.start, end: item.end, quantity: quantity,
            person: kind.person, device: kind.device, source: kind.source, metadata: kind.metadata)
    }
}

extension PackedSamples {
    /// The samples that measure the same as a type, as far as an import compares them, each made when
    /// it is read.
    func values(measuring type: QuantityType) -> some Sequence<StoredValue> {
        let isSame = kinds.map { type.measuresSame(as: $0.type) }
        return items.lazy.filter { isSame[Int($0.kind)] }.map { [kinds] item in
            let quantity = try? Quantity(item.value, kinds[Int(item.kind)].unit)
            return StoredValue(
                id: item.id, start: item.start, end: item.end,
                value: try? quantity?.value(in: type.canonicalUnit))
        }
    }
}

extension PackedSamples: Sequence {
    /// Makes the samples one after the other.
    package struct Iterator: IteratorProtocol {
        fileprivate let samples: PackedSamples
        fileprivate var place = 0

        /// The next sample.
        package mutating func next() -> QuantitySample? {
            while place < samples.items.count {
                defer { place += 1 }
                let item = samples.items[place]
                if let sample = PackedSamples.sample(item, samples.kinds) { return sample }
            }
            return nil
        }
    }

    package func makeIterator() -> Iterator { Iterator(samples: self) }

    package var underestimatedCount: Int { items.count }
}
