package import GatewayCore
package import HealthModel
package import JSON

/// An entry of a file in the data directory, with a unique key.
package protocol PersistedEntry: Hashable, Sendable {
    /// The type of the key.
    associatedtype Key: Hashable & Comparable & Sendable & CustomStringConvertible

    /// The singular and plural of the entry; the plural is the key of the section in the file.
    static var words: (one: String, several: String) { get }

    /// Whether one of the entries can be the default.
    static var hasDefault: Bool { get }

    /// Its key.
    var persistedKey: Key { get }
    /// Its value.
    var persistedValue: JSONValue { get }

    /// Reads an entry from its key and value.
    static func read(_ key: String, _ node: ConfigurationNode) throws(ConfigurationError) -> Self
}

extension PersistedEntry {
    package static var hasDefault: Bool { false }
}

/// The entries of one file in the data directory.
///
/// The file is one JSON object with one line per entry, sorted by key:
///
///     {"v":1,"people":{
///     "ada":{"birthDate":"1986-02-14","sex":"female"},
///     "bob":{}
///     }}
package struct PersistedEntries<Entry: PersistedEntry>: Hashable, Sendable {
    /// The version of the file's format.
    static var version: Int { 1 }
    /// The maximum number of entries.
    package static var limit: Int { 1_000 }

    /// The name of the default, which need not be an entry: the configuration has entries too.
    package var defaultKey: String?

    private var byKey: [Entry.Key: Entry] = [:]

    /// The entries, sorted by key.
    package var entries: [Entry] { byKey.values.sorted { $0.persistedKey < $1.persistedKey } }

    /// The number of entries.
    package var count: Int { byKey.count }

    /// Makes an empty set.
    package init() {}

    /// The entry with this key.
    package subscript(key: Entry.Key) -> Entry? { byKey[key] }

    /// Inserts an entry, replacing one with the same key.
    package mutating func insert(_ entry: Entry) { byKey[entry.persistedKey] = entry }

    /// Removes the entry with this key.
    package mutating func remove(_ key: Entry.Key) { byKey[key] = nil }
}

extension PersistedEntries {
    private static var defaultWord: String { "default" }

    /// Reads the text of the file, rejecting unknown keys.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first problem.
    package init(
        json text: String, types: QuantityTypes = .standard
    ) throws(ConfigurationError) {
        let root = try ConfigurationNode(json5: text, types: types)
        // The version first: another version may have other keys.
        if let version = try root.entries().first(where: { $0.key == "v" })?.node {
            guard try version.number() == Double(Self.version) else {
                throw version.error(
                    "unsupported format version; use the pulsegate version that wrote the file")
            }
        }
        let section = Entry.words.several
        let object = try root.object(
            keys: ["v"] + (Entry.hasDefault ? [Self.defaultWord] : []) + [section])
        _ = try object.require("v")
        defaultKey = try object[Self.defaultWord]?.string()
        let nodes = try object.require(section).entries()
        guard nodes.count <= Self.limit else {
            throw ConfigurationError(
                path: section, problem: "must not have more than \(Self.limit) entries")
        }
        for (key, node) in nodes {
            let entry = try Entry.read(key, node)
            guard self[entry.persistedKey] == nil else {
                throw node.error("duplicate \(Entry.words.one)")
            }
            insert(entry)
        }
    }

    /// The text of the file.
    package var json: String {
        let lines = entries.map { entry in
            "\(JSONValue.string(entry.persistedKey.description).json):\(entry.persistedValue.json)"
        }
        let standard = defaultKey.map {
            "\"\(Self.defaultWord)\":\(JSONValue.string($0).json),"
        }
        return "{\"v\":\(Self.version),\(standard ?? "")\"\(Entry.words.several)\":{\n"
            + lines.joined(separator: ",\n") + "\n}}\n"
    }
}
