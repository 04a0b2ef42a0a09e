/// What travels through the gateway: a sample, or an event of a device.
public enum Record: Hashable, Sendable {
    /// A measured value.
    case sample(QuantitySample)
    /// A change of a device's state.
    case event(DeviceEvent)

    /// The name of the record for life.
    public var id: RecordID {
        switch self {
        case .sample(let sample): sample.id
        case .event(let event): event.id
        }
    }

    /// The name of a sample's type; nil for an event.
    public var typeName: String? {
        switch self {
        case .sample(let sample): sample.type.name
        case .event: nil
        }
    }

    /// The device that measured or that changed its state.
    public var device: Device? {
        switch self {
        case .sample(let sample): sample.device
        case .event(let event): event.device
        }
    }
}
