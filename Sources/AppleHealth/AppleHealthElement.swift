/// An element of an export with the children that are imported.
struct AppleHealthElement {
    /// The maximum number of children; a workout has at most 512 events.
    static let maximumChildCount = 1_024

    let name: String
    let attributes: [String: String]
    /// The values of its `MetadataEntry` children by their keys.
    var metadata: [String: String] = [:]
    /// Its `Record`, `WorkoutEvent` and `WorkoutStatistics` children.
    var children: [AppleHealthElement] = []

    subscript(attribute: String) -> String? { attributes[attribute] }

    /// The name for counts: its type, else the name of the element.
    var typeName: String { attributes["type"] ?? attributes["workoutActivityType"] ?? name }

    /// Whether a child belongs to the element; others are left out and counted.
    func takes(_ child: String) -> Bool {
        switch (name, child) {
        case (_, "MetadataEntry"), ("Correlation", "Record"), ("Workout", "WorkoutEvent"),
            ("Workout", "WorkoutStatistics"):
            true
        default: false
        }
    }

    /// Adds a child; returns false when there are too many.
    mutating func add(_ child: AppleHealthElement) -> Bool {
        if child.name == "MetadataEntry" {
            guard metadata.count < Self.maximumChildCount else { return false }
            if let key = child["key"] { metadata[key] = child["value"] ?? "" }
            return true
        }
        guard children.count < Self.maximumChildCount else { return false }
        children.append(child)
        return true
    }
}
