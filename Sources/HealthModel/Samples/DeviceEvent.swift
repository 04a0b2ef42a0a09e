/// A change of a device's state.
///
/// It is stored like a sample, but is not a measurement.
public struct DeviceEvent: Hashable, Sendable {
    /// The maximum length of the reason in bytes of UTF-8; a longer one is truncated.
    public static let maximumReasonLength = 1_024

    /// The permanent id of this event.
    public let id: RecordID
    /// The time of the event.
    public let at: Instant
    /// The device.
    public let device: Device
    /// The software that reported the event.
    public let source: SourceRevision?
    /// The name of the person who wears the device; nil when it is unknown.
    public let person: String?
    /// The new state, as far as it is known.
    public let state: DeviceState
    /// The reason as text.
    public let reason: String?
    /// Additional facts.
    public let metadata: Metadata

    /// Makes an event.
    ///
    /// An invalid name of a person is dropped.
    public init(
        id: RecordID, at: Instant, device: Device, source: SourceRevision? = nil,
        person: String? = nil,
        state: DeviceState, reason: String? = nil, metadata: Metadata = Metadata()
    ) {
        self.id = id
        self.at = at
        self.device = device
        self.source = source
        self.person = person.flatMap { Person.isValidName($0) ? $0 : nil }
        self.state = state
        self.reason = reason?.cut(toBytes: Self.maximumReasonLength)
        self.metadata = metadata
    }
}

/// The state of a device, as far as it is known.
public struct DeviceState: Hashable, Sendable {
    /// The state of the connection.
    public enum Connection: String, Sendable, CaseIterable {
        /// The link is being established.
        case connecting
        /// The link is established.
        case connected
        /// The link is established, but no data has been received for too long.
        case stale
        /// There is no link.
        case disconnected
    }

    /// The state of the connection; nil when it is unknown.
    public let connection: Connection?
    /// Whether the sensor has contact with the skin; nil when this is unknown.
    public let contact: Bool?
    /// The battery level, 0 to 1; nil when it is unknown.
    public let battery: Double?

    /// Makes a state.
    ///
    /// A battery level outside of 0 to 1 is dropped.
    public init(connection: Connection? = nil, contact: Bool? = nil, battery: Double? = nil) {
        self.connection = connection
        self.contact = contact
        self.battery = battery.flatMap { Self.batteryRange.contains($0) ? $0 : nil }
    }

    static let batteryRange = 0.0...1.0
}
