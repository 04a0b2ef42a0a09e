import HealthModel

/// The metadata of an element: texts, whose kinds follow from their keys.
enum AppleMetadata {
    /// Makes metadata of texts; returns the number of those that it cannot hold too.
    static func make(_ texts: [String: String]) -> (metadata: Metadata, omitted: Int) {
        var metadata = Metadata()
        var omitted = 0
        let sync = [MetadataKey.syncIdentifier.name, MetadataKey.syncVersion.name]
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) where !sync.contains(key) {
            let isSet = values(of: text).contains { (try? metadata.set($0, for: key)) != nil }
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
