extension QuantityType {
    /// Every type of the standard table, in the order of the documentation: heart, activity, body.
    ///
    /// A type of the configuration or of a plugin is not among them; ``QuantityTypes`` has those too.
    public static let all: [QuantityType] = heartTable + activityTable + bodyTable

    /// Whether this is a row of the standard table; no other type has such a name.
    package var isStandard: Bool { QuantityTypes.standard.named(name) != nil }

    /// The row of the table that a constant stands for.
    static func standard(_ name: String) -> QuantityType {
        guard let type = QuantityTypes.standard.named(name) else {
            // Only the constants of this module call it, each with a literal name, so no input ever gets
            // here: what does is a constant without a row, which the test that touches every constant finds.
            preconditionFailure("no table has a row for \(name)")
        }
        return type
    }
}
