import GatewayCore
import JSON

/// The secrets that a backup does not have: those of the data directory, and those to which the configuration
/// refers.
struct SecretReferences {
    /// The keys of a reference, see ``Secret``; `secret` is the one that `pulsegate secret` sets.
    private static let keys = ["secret", "file", "env", "credential"]

    private var references: Set<String> = []

    /// Finds the references in the text of a configuration.
    init(_ names: [PlainName], in text: String?) {
        references = Set(names.map { "secret: \($0)" })
        guard let text, let value = try? JSONValue(json5: text) else { return }
        find(in: value)
    }

    /// The references as texts, such as `secret: repo-token`, sorted.
    var texts: [String] { references.sorted() }

    private mutating func find(in value: JSONValue) {
        switch value {
        case .object(let fields):
            if fields.count == 1, let (key, value) = fields.first, Self.keys.contains(key),
                case .string(let name) = value
            {
                references.insert("\(key): \(name)")
            }
            for value in fields.values { find(in: value) }
        case .array(let elements):
            for value in elements { find(in: value) }
        default: break
        }
    }
}
