/// What travels through the gateway: a sample, what was so, samples that belong together, a workout, or
/// an event of a device.
public enum Record: Hashable, Sendable {
    /// A measured value.
    case sample(QuantitySample)
    /// Something that was so for a time.
    case category(CategorySample)
    /// Samples that belong together; they are one record.
    case correlation(Correlation)
    /// What somebody did from one time to another.
    ///
    /// It is rare, and the others shall not need as much room as it does.
    indirect case workout(Workout)
    /// A change of a device's state.
    case event(DeviceEvent)

    /// The name of the record for life.
    public var id: RecordID {
        switch self {
        case .sample(let sample): sample.id
        case .category(let sample): sample.id
        case .correlation(let correlation): correlation.id
        case .workout(let workout): workout.id
        case .event(let event): event.id
        }
    }

    /// What kind of thing it tells; nil for an event.
    public var type: RecordType? {
        switch self {
        case .sample(let sample): .quantity(sample.type)
        case .category(let sample): .category(sample.type)
        case .correlation(let correlation): .correlation(correlation.type)
        case .workout: .workout
        case .event: nil
        }
    }

    /// The name of its type; nil for an event.
    public var typeName: String? { type?.name }

    /// The name of the person it is about; nil when it is not known.
    public var person: String? {
        switch self {
        case .sample(let sample): sample.person
        case .category(let sample): sample.person
        case .correlation(let correlation): correlation.person
        case .workout(let workout): workout.person
        case .event(let event): event.person
        }
    }

    /// The device that measured or that changed its state.
    public var device: Device? {
        switch self {
        case .sample(let sample): sample.device
        case .category(let sample): sample.device
        case .correlation(let correlation): correlation.device
        case .workout(let workout): workout.device
        case .event(let event): event.device
        }
    }
}
