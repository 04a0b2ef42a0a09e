import HealthModel
import SQLiteStore

/// What a search has found.
package struct SearchResult: Equatable {
    /// A device, a person or a workout with the words.
    struct Hit: Equatable {
        let scope: SearchScope
        /// The name that a person knows it by; of a workout its activity.
        let name: String
        /// What other commands accept: the identifier, the name or the id.
        let id: String
        let person: String?
        /// The start of a workout; nil for others.
        var start: Instant?
        /// The fields with a word.
        let matches: [SearchField]
    }

    /// How many of one kind were found.
    struct Count: Equatable {
        let scope: SearchScope
        /// The number of hits that are shown.
        let shown: Int
        /// The number of hits.
        let found: Int
        /// The number of all of this kind.
        let total: Int
    }

    private(set) var hits: [Hit] = []
    private(set) var counts: [Count] = []
    /// The ids of all workouts, found or not.
    var workoutIDs: [RecordID] = []

    /// Whether nothing was found.
    package var isEmpty: Bool { hits.isEmpty }

    /// Adds the hits of a kind, of which at most `limit` are shown.
    mutating func add(_ scope: SearchScope, _ found: [Hit], of total: Int, limit: Int?) {
        let shown = found.prefix(limit ?? .max)
        hits += shown
        counts.append(
            Count(scope: scope, shown: shown.count, found: found.count, total: total))
    }

    /// `1 of 3 devices, 7 of 14 workouts (5 shown)`.
    var summary: String {
        counts.map { count in
            let note = count.shown < count.found ? " (\(count.shown) shown)" : ""
            return "\(count.found) of \(count.total) \(count.scope.noun(count.total))\(note)"
        }.joined(separator: ", ")
    }
}
