package import HealthModel

/// A query for records of one type.
package struct RecordQuery: Hashable, Sendable {
    /// The type of the records; nil for device events.
    package var type: RecordType?
    /// Only records that end after this time, or start at it.
    package var from: Instant?
    /// Only records that start before this time.
    package var to: Instant?
    /// Only records of devices with this address, name or serial number, ignoring case.
    package var device: String?
    /// Only records of the person with this name.
    package var person: String?
    /// The maximum number of records.
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
