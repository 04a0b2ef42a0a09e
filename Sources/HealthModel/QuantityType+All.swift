extension QuantityType {
    /// Every type, in the order of the documentation: heart, activity, body.
    public static let all: [QuantityType] = heartTypes + activityTypes + bodyTypes

    /// Finds a type by its name or by its HealthKit identifier.
    public static func named(_ name: String) -> QuantityType? { byName[name] }

    private static let byName: [String: QuantityType] = all.reduce(into: [:]) { types, type in
        types[type.name] = type
        if let identifier = type.healthKitIdentifier { types[identifier] = type }
    }
}
