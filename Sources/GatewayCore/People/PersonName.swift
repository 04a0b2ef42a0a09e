import JSON

extension People {
    /// The message about a name that no person has: the nearest known name, or all known names.
    package static func unknown(_ name: String, known: [String]) -> String {
        "unknown person `\(name)`; \(Suggestion.message(unknown: name, known: known))"
    }
}

extension ConfigurationNode {
    /// The value as the name of a person, in the known spelling.
    package func person(of known: [String]) throws(ConfigurationError) -> String {
        let name = try string()
        // Equal strings can have different bytes.
        guard let person = known.first(where: { $0 == name }) else {
            throw error(People.unknown(name, known: known))
        }
        return person
    }
}
