package import HealthModel

/// Which records of one type to read, and in which order.
package struct RecordQuery: Hashable, Sendable {
    /// The type of the records; nil for device events.
    package var type: RecordType?
    /// Only records of this time or later: those that end after it, or start at it.
    package var from: Instant?
    /// Only records that start before this time.
    package var to: Instant?
    /// Only of devices whose address, name or serial number is this, in any case.
    package var device: String?
    /// Only of the person of this name.
    package var person: String?
    /// At most so many records.
    package var limit: Int?
    package var order: SampleQuery.Order

    package init(
        type: RecordType?, from: Instant? = nil, to: Instant? = nil, device: String? = nil,
        person: String? = nil, limit: Int? = nil, order: SampleQuery.Order = .oldestFirst
    ) {
        self.type = type
        self.from = from
        self.to = to
        self.device = device
        self.person = person
        self.limit = limit
        self.order = order
    }

    init(_ query: SampleQuery) {
        self.init(
            type: .quantity(query.type), from: query.from, to: query.to, device: query.device,
            person: query.person, limit: query.limit, order: query.order)
    }
}
