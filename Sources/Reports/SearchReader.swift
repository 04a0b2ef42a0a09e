import GatewayCore
package import GatewayHost
package import HealthModel
package import SQLiteStore

/// Searches devices, people and workouts by words, in the configuration and the store.
package struct SearchReader {
    private let words: SearchWords
    let plan: GatewayPlan
    /// Nil without a store.
    let store: SQLiteStore?
    private let types: QuantityTypes
    private let limit: Int?

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - plan: The configuration with adopted devices and people.
    ///   - store: The store; nil when there is none.
    ///   - limit: The maximum number of hits of each kind.
    package init(
        _ words: SearchWords, in plan: GatewayPlan, _ store: SQLiteStore?, types: QuantityTypes,
        limit: Int?
    ) {
        self.words = words
        self.plan = plan
        self.store = store
        self.types = types
        self.limit = limit
    }

    /// Searches everything in the scopes.
    package func result(in scopes: Set<SearchScope>) async throws(HostError) -> SearchResult {
        var result = SearchResult()
        do {
            if scopes.contains(.devices) {
                let stored = try await store?.knownOrigins().devices ?? []
                add(DeviceCatalogue(known: plan.knownDevices, stored: stored), to: &result)
            }
            if scopes.contains(.people) { add(try await peopleNames(), to: &result) }
            if scopes.contains(.workouts) { try await addWorkouts(to: &result) }
        } catch {
            throw HostError(error)
        }
        return result
    }

    private func add(_ catalogue: DeviceCatalogue, to result: inout SearchResult) {
        let hits = catalogue.entries.compactMap { entry in
            words.matches(in: entry.searchFields).map {
                SearchResult.Hit(
                    scope: .devices, name: entry.name, id: entry.id, person: entry.person,
                    matches: $0)
            }
        }
        result.add(.devices, hits, of: catalogue.entries.count, limit: limit)
    }

    /// The names of the people, and of those who have only records.
    private func peopleNames() async throws -> [String] {
        let names = plan.configuration.people.names
        let stored = try await store?.peopleNames() ?? []
        return names + stored.filter { !names.contains($0) }
    }

    private func add(_ names: [String], to result: inout SearchResult) {
        let hits = names.compactMap { name in
            words.matches(in: [SearchField("name", name)].compactMap { $0 }).map {
                SearchResult.Hit(scope: .people, name: name, id: name, person: nil, matches: $0)
            }
        }
        result.add(.people, hits, of: names.count, limit: limit)
    }

    private func addWorkouts(to result: inout SearchResult) async throws {
        let query = WorkoutQuery(text: words)
        let found = try await store?.workouts(matching: query, types: types) ?? []
        let hits = found.map { workout in
            SearchResult.Hit(
                scope: .workouts, name: workout.activity.name, id: workout.id.description,
                person: workout.person, start: workout.start,
                matches: words.matches(in: workout.searchFields) ?? [])
        }
        result.workoutIDs = try await store?.workoutIDs() ?? []
        result.add(.workouts, hits, of: result.workoutIDs.count, limit: limit)
    }
}
