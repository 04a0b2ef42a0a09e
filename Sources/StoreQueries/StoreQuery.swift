package import HealthModel
package import HealthStore

/// A query for records, of one type or kind of type.
package struct StoreQuery<Selection: Hashable & Sendable>: Hashable, Sendable {
    /// The type of the records.
    package var type: Selection
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
    package var order: QueryOrder

    package init(
        type: Selection, from: Instant? = nil, to: Instant? = nil, device: String? = nil,
        person: String? = nil, limit: Int? = nil, order: QueryOrder = .oldestFirst
    ) {
        self.type = type
        self.from = from
        self.to = to
        self.device = device
        self.person = person
        self.limit = limit
        self.order = order
    }

    /// The same query for another type.
    package func selecting<Other>(_ type: Other) -> StoreQuery<Other> {
        StoreQuery<Other>(
            type: type, from: from, to: to, device: device, person: person, limit: limit,
            order: order)
    }
}

/// A query for samples of one quantity type.
package typealias SampleQuery = StoreQuery<QuantityType>

/// A query for records of one type; nil for device events.
package typealias RecordQuery = StoreQuery<RecordType?>
