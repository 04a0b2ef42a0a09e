package import HealthModel

/// A query for samples of one type.
package struct SampleQuery: Hashable, Sendable {
    /// The order by start, then by insertion.
    package enum Order: Sendable {
        case oldestFirst
        case newestFirst
    }

    /// The type of the samples.
    package var type: QuantityType
    /// Only samples that end after this time, or start at it.
    package var from: Instant?
    /// Only samples that start before this time.
    package var to: Instant?
    /// Only samples of devices with this address, name or serial number, ignoring case.
    package var device: String?
    /// Only samples of the person with this name.
    package var person: String?
    /// The maximum number of samples.
    package var limit: Int?
    package var order: Order

    package init(
        type: QuantityType, from: Instant? = nil, to: Instant? = nil, device: String? = nil,
        person: String? = nil, limit: Int? = nil, order: Order = .oldestFirst
    ) {
        self.type = type
        self.from = from
        self.to = to
        self.device = device
        self.person = person
        self.limit = limit
        self.order = order
    }
}
