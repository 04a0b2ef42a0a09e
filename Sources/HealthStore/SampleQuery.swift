package import HealthModel

/// Which samples to read, and in which order.
package struct SampleQuery: Hashable, Sendable {
    /// By the start of the samples; those of one start come as they were stored.
    package enum Order: Sendable {
        case oldestFirst
        case newestFirst
    }

    /// What was measured.
    package var type: QuantityType
    /// Only samples of this time or later: those that end after it, or start at it.
    package var from: Instant?
    /// Only samples that start before this time.
    package var to: Instant?
    /// Only of devices whose address, name or serial number is this, in any case.
    package var device: String?
    /// Only of the person of this name.
    package var person: String?
    /// At most so many samples.
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
