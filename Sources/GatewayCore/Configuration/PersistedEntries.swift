package import HealthModel
package import JSON

/// Something of which the data directory keeps a few, each under a key of its own.
package protocol PersistedEntry: Hashable, Sendable {
    /// What tells one entry from another.
    associatedtype Key: Hashable & Comparable & Sendable & CustomStringConvertible

    /// The words for an entry and for several; the second one is the key of all in the file.
    static var words: (one: String, several: String) { get }

    /// What tells it from the others.
    var persistedKey: Key { get }
    /// What stands under its key.
    var persistedValue: JSONValue { get }

    /// Reads what stands under a key.
    static func read(_ key: String, _ node: ConfigurationNode) throws(ConfigurationError) -> Self
}

/// Entries of one kind, as a small file of the data directory has them.
///
/// The file is one JSON object, with an entry a line in the order of the keys:
///
///     {"v":1,"people":{
///     "ada":{"birthDate":"1986-02-14","sex":"female"},
///     "bob":{}
///     }}
package struct PersistedEntries<Entry: PersistedEntry>: Hashable, Sendable {
    /// The version of the file's format.
    static var version: Int { 1 }
    /// So many entries at most.
    package static var limit: Int { 1_000 }

    private var byKey: [Entry.Key: Entry] = [:]

    /// The entries, in the order of their keys.
    package var entries: [Entry] { byKey.values.sorted { $0.persistedKey < $1.persistedKey } }

    /// How many there are.
    package var count: Int { byKey.count }

    /// No entry.
    package init() {}

    /// The entry with this key.
    package subscript(key: Entry.Key) -> Entry? { byKey[key] }

    /// Keeps an entry, in the place of the one with the same key if there is one.
    package mutating func keep(_ entry: Entry) { byKey[entry.persistedKey] = entry }

    /// Removes the entry with this key.
    package mutating func remove(_ key: Entry.Key) { byKey[key] = nil }
}

extension PersistedEntries {
    /// Reads the file's text, in which types may stand, strictly.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first thing that is wrong.
    package init(
        json text: String, types: QuantityTypes = .standard
    ) throws(ConfigurationError) {
        let root = try ConfigurationNode(json5: text, types: types)
        // The version first: another one may have other keys.
        if let version = try root.entries().first(where: { $0.key == "v" })?.node {
            guard try version.number() == Double(Self.version) else {
                throw version.error("was written by another version of pulsegate; use that one")
            }
        }
        let section = Entry.words.several
        let object = try root.object(keys: ["v", section])
        _ = try object.require("v")
        let nodes = try object.require(section).entries()
        guard nodes.count <= Self.limit else {
            throw ConfigurationError(path: section, problem: "over \(Self.limit) \(section)")
        }
        for (key, node) in nodes {
            let entry = try Entry.read(key, node)
            guard self[entry.persistedKey] == nil else {
                throw node.error("the \(Entry.words.one) stands here twice")
            }
            keep(entry)
        }
    }

    /// The file's text.
    package var json: String {
        let lines = entries.map { entry in
            "\(JSONValue.string(entry.persistedKey.description).json):\(entry.persistedValue.json)"
        }
        return "{\"v\":\(Self.version),\"\(Entry.words.several)\":{\n"
            + lines.joined(separator: ",\n") + "\n}}\n"
    }
}
