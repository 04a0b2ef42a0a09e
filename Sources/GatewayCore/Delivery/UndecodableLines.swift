import JSON

/// The lines of the journal that a sink cannot decode, by the source that made them.
///
/// The first one of a source and a reason is reported; further ones are only counted.
struct UndecodableLines {
    /// The maximum number of sources and reasons: further ones are reported as others.
    static let limit = 32
    /// The name of a source that cannot be read from the line.
    static let unknownSource = "unknown"

    private struct Key: Hashable {
        let source: String
        let reason: String
    }

    private var counts: [Key: Int] = [:]

    /// Counts a line; returns its source if it is the first of that source and reason.
    mutating func note(_ line: some Collection<UInt8>, reason: String) -> String? {
        var key = Key(source: Self.source(of: line), reason: reason)
        if counts[key] == nil, counts.count >= Self.limit {
            key = Key(source: Self.unknownSource, reason: "others")
        }
        counts[key, default: 0] += 1
        return counts[key] == 1 ? key.source : nil
    }

    /// The name of the source that a line of JSON mentions.
    private static func source(of line: some Collection<UInt8>) -> String {
        guard
            case .object(let record)? = try? JSONValue(json5: String(decoding: line, as: UTF8.self)),
            case .object(let source)? = record["source"], case .string(let name)? = source["name"]
        else { return unknownSource }
        return name
    }
}
