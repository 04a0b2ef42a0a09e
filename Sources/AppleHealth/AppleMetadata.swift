import HealthModel
import JSON

/// The metadata of an element: texts, whose kinds follow from their keys, or are given.
enum AppleMetadata {
    /// Makes metadata of texts; returns the number of those that it cannot hold too.
    ///
    /// - Parameter typed: The values of some keys, which count while the texts are theirs.
    static func make(
        _ texts: [String: String], typed: Metadata = Metadata()
    ) -> (metadata: Metadata, omitted: Int) {
        var metadata = Metadata()
        var omitted = 0
        let sync = [MetadataKey.syncIdentifier.name, MetadataKey.syncVersion.name]
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) where !sync.contains(key) {
            let own = typed[key].flatMap { self.text($0) == text ? $0 : nil }
            let values = (own.map { [$0] } ?? []) + values(of: text)
            let isSet = values.contains { (try? metadata.set($0, for: key)) != nil }
            if !isSet { omitted += 1 }
        }
        let parts = sync.compactMap { texts[$0] }
        if parts.count == 2, let version = Double(parts[1]),
            (try? metadata.setSync(identifier: parts[0], version: version)) != nil
        {
            return (metadata, omitted)
        }
        return (metadata, omitted + parts.count)
    }

    /// The values whose kinds do not follow from their keys and texts.
    static func typed(_ metadata: Metadata) -> Metadata {
        var typed = Metadata()
        for entry in metadata {
            if case .string = entry.value { continue }
            guard make([entry.key: text(entry.value)]).metadata[entry.key] != entry.value else {
                continue
            }
            // A version without its identifier is none, but with it, it is read back by its key.
            try? typed.set(entry.value, for: entry.key)
        }
        return typed
    }

    /// The text of a value.
    static func text(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): Number.string(number)
        case .boolean(let isTrue): isTrue ? "1" : "0"
        case .quantity(let quantity): "\(quantity)"
        case .date(let instant): "\(instant)"
        }
    }

    /// The values that a text can be; a known key allows one kind, another key the text.
    private static func values(of text: String) -> [MetadataValue] {
        var values: [MetadataValue] = [.string(text)]
        if text == "0" || text == "1" { values.append(.boolean(text == "1")) }
        if let number = Double(text) { values.append(.number(number)) }
        if let quantity = quantity(text) { values.append(.quantity(quantity)) }
        return values
    }

    /// Reads a value and its unit, such as `4.2 kcal/hr·kg`.
    private static func quantity(_ text: String) -> Quantity? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let value = Double(parts[0]),
            let unit = try? Unit(parsing: String(parts[1]))
        else { return nil }
        return try? Quantity(value, unit)
    }
}
