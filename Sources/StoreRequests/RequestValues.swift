import GatewayCore
import GatewayHost
import HealthModel
import JSON
import SQLiteStore

extension ConfigurationNode {
    /// A time.
    func time() throws(ConfigurationError) -> Instant {
        guard let instant = Instant(iso8601: try string()) else {
            throw error("expected a time such as 2026-11-21T18:15:00Z")
        }
        return instant
    }

    /// The id of a record.
    func recordID() throws(ConfigurationError) -> RecordID {
        guard let id = RecordID(uuidString: try string()) else {
            throw error("expected an id such as 0198f3c2-0000-8000-8000-000000000001")
        }
        return id
    }
}

/// The person whose stored records a request reads.
struct RequestedPerson {
    /// The name; nil for all people.
    let name: String?
    /// The name to filter records by; nil when all records are of this person.
    let filter: String?

    /// The named person, as commands find it in the people and in a store.
    ///
    /// To a client that is not the owner an unknown person is one without records.
    init(
        _ node: ConfigurationNode, _ people: [String], in store: SQLiteStore,
        of client: ServiceClient
    ) async throws {
        let word = try node.string()
        let known = people + (try await store.peopleNames().filter { !people.contains($0) })
        let found = known.first { $0 == word }
        if found == nil, client.isOwner { _ = try node.person(of: known) }
        name = found ?? word
        filter = found != nil && known.count == 1 ? nil : name
    }

    /// The only person, or the default person.
    init(_ people: People) throws(ConfigurationError) {
        let names = people.names
        guard names.count != 1 else {
            (name, filter) = (names[0], nil)
            return
        }
        guard let name = people.defaultName.flatMap({ names.contains($0) ? $0 : nil }) else {
            throw ConfigurationError(
                path: "person",
                problem: "is required, because there are several people and no default person")
        }
        (self.name, filter) = (name, name)
    }
}
