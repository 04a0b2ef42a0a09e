import GatewayCore
package import HealthModel
import JSON

/// What a backup is of: the second file in it.
package struct BackupManifest: Equatable, Sendable {
    /// The newest format of backups; keys may be added to it, and keep their meaning.
    static let newestFormat: Int64 = 1

    /// The format of the backup.
    package var format = newestFormat
    /// The version of the program that wrote it.
    package var version = ""
    /// When it was begun.
    package var time: Instant?
    /// The schema version of the store; 0 without one.
    package var schema: Int64 = 0
    /// The numbers of records in the store, by kind.
    package var records: [String: Int64] = [:]
    /// The number of adopted devices.
    package var devices: Int64 = 0
    /// The number of people in the data directory.
    package var people: Int64 = 0
    /// The secrets that have to be set again, as their references: `secret: repo-token`.
    package var secrets: [String] = []
    /// The numbers of records that waited in the journal, by sink; they are not queued in the backup.
    package var waiting: [String: Int64] = [:]
    /// The sink of the store when records that were accepted before are not in it.
    package var incompleteStore: String?

    package init() {}

    /// The JSON of the file.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("format", format)
            json.field("program", Self.program)
            json.field("version", version)
            json.field("time", time?.description)
            json.field("schema", schema)
            json.object("records") { Self.write(records, to: &$0) }
            json.field("devices", devices)
            json.field("people", people)
            json.strings("secrets", secrets)
            json.object("waiting") { Self.write(waiting, to: &$0) }
            json.field("incompleteStore", incompleteStore)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static let program = "pulsegate"

    private static func write(_ counts: [String: Int64], to json: inout JSONWriter) {
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) { json.field(key, count) }
    }

    /// Reads the JSON; keys that this version does not know are skipped.
    init(_ bytes: [UInt8]) throws(BackupError) {
        do throws(JSONError) {
            let value = try JSONValue(json5: String(decoding: bytes, as: UTF8.self))
            let fields = try DocumentFields(DocumentNode(path: "", value: value))
            format = try fields.count("format")
            version = try fields.text("version") ?? ""
            guard try fields.text("program") == Self.program, format > 0 else {
                throw JSONError(path: "program", problem: "unknown")
            }
            time = try fields.text("time").flatMap { Instant(iso8601: $0) }
            schema = try fields.count("schema")
            records = try fields.counts("records")
            devices = try fields.count("devices")
            people = try fields.count("people")
            secrets = try fields.texts("secrets")
            waiting = try fields.counts("waiting")
            incompleteStore = try fields.text("incompleteStore")
        } catch {
            guard format <= Self.newestFormat else { throw newer }
            throw .damaged("\(BackupMember.manifest.name) cannot be read")
        }
        guard format <= Self.newestFormat else { throw newer }
    }

    private var newer: BackupError { .newer(format: format, version: version) }
}
