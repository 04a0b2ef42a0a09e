/// Whose samples a summary counts.
package enum SummaryScope: Hashable, Sendable {
    /// One origin of one person, by the rows; a person of 0 is none.
    case origin(Int64, person: Int64)
    /// All origins of a person.
    case person(Int64)
    /// All people.
    case everyone

    /// The columns `person` and `origin`.
    package var columns: (person: Int64, origin: Int64) {
        switch self {
        case .origin(let origin, let person): (person, origin)
        case .person(let person): (person, 0)
        case .everyone: (-1, 0)
        }
    }

    package init(person: Int64, origin: Int64) {
        self =
            person < 0 ? .everyone : origin > 0 ? .origin(origin, person: person) : .person(person)
    }
}
