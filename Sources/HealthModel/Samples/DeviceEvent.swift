/// A device has changed its state.
///
/// It is kept like a sample, but is not a measurement.
public struct DeviceEvent: Hashable, Sendable {
    /// The longest reason, in UTF-8; what is longer is cut when an event is made.
    public static let maximumReasonLength = 1_024

    /// The name of this event for life.
    public let id: RecordID
    /// When it happened.
    public let at: Instant
    /// The device.
    public let device: Device
    /// What noticed it.
    public let source: SourceRevision?
    /// The name of the person who wears the device; nil when it is not known.
    public let person: String?
    /// What is known about the state.
    public let state: DeviceState
    /// Why, in words.
    public let reason: String?
    /// Facts beside it.
    public let metadata: Metadata

    /// Makes an event.
    ///
    /// A person's name that is not valid counts as not known.
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
    /// Whether the device is there.
    public enum Connection: String, Sendable, CaseIterable {
        /// A link to it is being made.
        case connecting
        /// There is a link to it.
        case connected
        /// There is a link, but nothing has come for too long.
        case stale
        /// There is no link to it.
        case disconnected
    }

    /// Whether the device is there; nil when this is not known.
    public let connection: Connection?
    /// Whether the sensor touches the skin; nil when this is not known.
    public let contact: Bool?
    /// The charge of the battery, 0 to 1; nil when this is not known.
    public let battery: Double?

    /// Makes a state.
    ///
    /// A charge outside 0 to 1 is none, so it counts as not known.
    public init(connection: Connection? = nil, contact: Bool? = nil, battery: Double? = nil) {
        self.connection = connection
        self.contact = contact
        self.battery = battery.flatMap { Self.batteryRange.contains($0) ? $0 : nil }
    }

    static let batteryRange = 0.0...1.0
}
