package import GatewayCore
import HealthModel
package import JSON

/// The access of one client, as `access.json` stores it.
package struct AccessEntry: PersistedEntry {
    package static let words = (one: "client", several: "clients")
    /// The maximum length of a purpose, in bytes.
    package static let purposeLimit = 256
    /// The rule of a purpose, for messages.
    static let purposeRule =
        "must be at most \(purposeLimit) bytes of text without control characters"

    /// The client.
    package let client: ClientID
    /// Why it wants access, in its own words.
    package var purpose: String?
    /// The decisions about reading.
    package var read = AccessDecisions()
    /// The decisions about storing.
    package var share = AccessDecisions()
    /// The decisions about what it may change.
    package var manage = AccessDecisions()

    /// Makes the entry of a client without access.
    package init(_ client: ClientID) {
        self.client = client
    }

    package var persistedKey: ClientID { client }

    /// The decisions of a kind.
    package subscript(kind: AccessKind) -> AccessDecisions {
        get {
            switch kind {
            case .read: read
            case .share: share
            case .manage: manage
            }
        }
        set {
            switch kind {
            case .read: read = newValue
            case .share: share = newValue
            case .manage: manage = newValue
            }
        }
    }

    /// Whether the owner has decided nothing, so that the client could have made the entry.
    var isUndecided: Bool {
        AccessKind.allCases.map { self[$0] }.allSatisfy {
            $0.others == nil && $0.types(.granted).isEmpty && $0.types(.denied).isEmpty
        }
    }

    /// Reads a purpose; an empty one is none.
    static func purpose(_ node: ConfigurationNode) throws(ConfigurationError) -> String? {
        let text = try node.string()
        guard text.utf8.count <= purposeLimit,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw node.error(purposeRule) }
        return text.isEmpty ? nil : text
    }
}

extension AccessEntry {
    package static func read(
        _ key: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> AccessEntry {
        guard let client = ClientID(key) else {
            throw node.error("`\(key)` is not a client such as control:1001:dashboard")
        }
        let object = try node.object(keys: ["purpose"] + AccessKind.allCases.map(\.rawValue))
        var entry = AccessEntry(client)
        entry.purpose = try object["purpose"].flatMap { node throws(ConfigurationError) in
            try purpose(node)
        }
        for kind in AccessKind.allCases {
            if let node = object[kind.rawValue] { entry[kind] = try AccessDecisions(node) }
        }
        return entry
    }

    package var persistedValue: JSONValue {
        var object: [String: JSONValue] = [:]
        object["purpose"] = purpose.map(JSONValue.string)
        for kind in AccessKind.allCases where !self[kind].isEmpty {
            object[kind.rawValue] = self[kind].value
        }
        return .object(object)
    }

    /// Writes the entry into an answer.
    package func write(to json: inout JSONWriter) {
        json.field("client", client.description)
        json.field("purpose", purpose)
        for kind in AccessKind.allCases {
            json.object(kind.rawValue) { self[kind].write(to: &$0) }
        }
    }
}

/// The file of the access of other users and programs.
package typealias AccessFile = PersistedFile<AccessEntry>

extension AccessEntry: FileEntry {
    package static let fileNames = (file: DataFiles.access, draft: DataFiles.accessDraft)
    package static let remedy =
        "fix it there, or remove the file and grant access again; until then only the gateway's user has access"
    package static let tooLarge =
        "remove clients: `pulsegate access revoke CLIENT --forget`"
}
