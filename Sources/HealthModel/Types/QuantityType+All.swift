extension QuantityType {
    /// All types of the standard table, in the order of the documentation: heart, activity, motion, body.
    ///
    /// Custom types of the configuration or of a plugin are in ``QuantityTypes``.
    public static let all: [QuantityType] =
        heartTable + activityTable + motionTable + bodyTable

    /// Whether this is a type of the standard table; custom types cannot have the same name.
    package var isStandard: Bool { QuantityTypes.standard.named(name) != nil }

    /// The type of the standard table for a constant.
    static func standard(_ name: String) -> QuantityType {
        guard let type = QuantityTypes.standard.named(name) else {
            // Only constants of this module call it, each with a literal name, so no input reaches
            // this.
            preconditionFailure("the standard table has no row for \(name)")
        }
        return type
    }
}
