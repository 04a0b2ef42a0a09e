import JSON

/// The software that produced a record: a source of the gateway and its version.
///
/// Sources are equal when name and version are equal. A copy costs a reference.
public struct SourceRevision: Hashable, Sendable {
    /// The maximum length of name and version in bytes of UTF-8; longer ones are truncated.
    public static let maximumTextLength = 512

    private let storage: Storage

    private final class Storage: Sendable {
        let name: String
        let version: String?
        let json: [UInt8]

        init(name: String, version: String?) {
            self.name = name
            self.version = version
            var buffer: [UInt8] = []
            buffer.append("{\"name\":")
            buffer.appendJSONString(name)
            if let version {
                buffer.append(",\"version\":")
                buffer.appendJSONString(version)
            }
            buffer.append(UInt8(ascii: "}"))
            json = buffer
        }
    }

    /// Makes a source.
    public init(name: String, version: String? = nil) {
        storage = Storage(
            name: name.cut(toBytes: Self.maximumTextLength),
            version: version?.cut(toBytes: Self.maximumTextLength))
    }

    /// The name, as in the configuration.
    public var name: String { storage.name }
    /// The version of the software.
    public var version: String? { storage.version }

    /// The source as a JSON object, encoded once.
    var json: [UInt8] { storage.json }

    /// Whether two sources have the same name and version.
    public static func == (left: SourceRevision, right: SourceRevision) -> Bool {
        // The JSON contains the bytes of both.
        left.storage === right.storage || left.json == right.json
    }

    /// Hashes the name and the version.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(version)
    }
}
