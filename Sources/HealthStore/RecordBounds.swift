package import HealthModel

/// What every record that matches a predicate has in common: a store reads only such records, and asks
/// the predicate of each.
package struct RecordBounds: Hashable, Sendable {
    /// The kinds.
    package var kinds = Set(RecordKind.allCases)
    /// The names of the types; nil for any.
    package var types: Set<String>?
    /// The ids; nil for any.
    package var ids: Set<RecordID>?
    /// The records overlap what follows this time; nil for any.
    package var start: Instant?
    /// The records start before this time; nil for any.
    package var end: Instant?
    /// The name of the person; nil for any person and none.
    package var person: String?

    /// Makes the bounds of a predicate.
    package init(_ predicate: RecordPredicate, workouts: [RecordID: Workout] = [:]) {
        switch predicate {
        case .kind(let kind): kinds = [kind]
        case .typeName(let name): types = [name]
        case .ids(let wanted): ids = wanted
        case .period(let period):
            start = period.start
            end = period.end
        case .person(let name): person = name
        case .quantity: kinds = [.sample]
        case .category: kinds = [.category]
        case .workout(let id):
            kinds = workouts[id] == nil ? [] : [.sample, .category]
            start = workouts[id]?.start
            end = workouts[id]?.end
            person = workouts[id]?.person
        case .and(let parts):
            for part in parts { formIntersection(RecordBounds(part, workouts: workouts)) }
        case .or(let parts):
            let bounds = parts.map { RecordBounds($0, workouts: workouts) }
            guard let first = bounds.first else {
                kinds = []
                return
            }
            self = bounds.dropFirst().reduce(into: first) { $0.formUnion($1) }
        case .all, .source, .device, .deviceProperty, .hasMetadata, .metadata, .not: break
        }
    }

    private mutating func formIntersection(_ other: RecordBounds) {
        kinds.formIntersection(other.kinds)
        types = Self.intersection(types, other.types)
        ids = Self.intersection(ids, other.ids)
        start = start.map { own in other.start.map { max(own, $0) } ?? own } ?? other.start
        end = end.map { own in other.end.map { min(own, $0) } ?? own } ?? other.end
        if let person, let name = other.person, person != name { kinds = [] }
        person = person ?? other.person
    }

    private mutating func formUnion(_ other: RecordBounds) {
        kinds.formUnion(other.kinds)
        types = types.flatMap { own in other.types.map { own.union($0) } }
        ids = ids.flatMap { own in other.ids.map { own.union($0) } }
        start = start.flatMap { own in other.start.map { min(own, $0) } }
        end = end.flatMap { own in other.end.map { max(own, $0) } }
        person = person == other.person ? person : nil
    }

    /// What two sets have in common, of which nil has everything.
    private static func intersection<Element>(
        _ left: Set<Element>?, _ right: Set<Element>?
    ) -> Set<Element>? {
        guard let left, let right else { return left ?? right }
        return left.intersection(right)
    }
}
