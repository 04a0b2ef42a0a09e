/// Facts beside a sample, by name; HealthKit's raw names where it has one.
///
/// The order is that of the names' bytes, so equal metadata has one text. Empty metadata costs
/// nothing. Limits keep every record within the line its reader accepts.
public struct Metadata: Hashable, Sendable {
    /// The most entries.
    public static let maximumCount = 64
    /// The longest name, in UTF-8.
    public static let maximumKeyLength = 128
    /// The most bytes of UTF-8 in all names, strings and units together.
    public static let maximumSize = 4_096

    /// A name and its value.
    public struct Entry: Hashable, Sendable {
        /// The name.
        public let key: String
        /// The value.
        public let value: MetadataValue
    }

    private var entries: [Entry] = []

    /// Makes empty metadata.
    public init() {}

    /// Makes metadata of names and values.
    /// - Throws: when a name or a value is not valid, or there are too many.
    public init(_ values: [String: MetadataValue]) throws(MetadataError) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { try put(value, for: key) }
        try checkSync()
    }

    /// Sets or replaces a value.
    ///
    /// The value of a known key must be of its kind; other keys take any value.
    /// - Throws: when the name or the value is not valid, or there is no room.
    public mutating func set(_ value: MetadataValue, for key: String) throws(MetadataError) {
        var changed = self
        try changed.put(value, for: key)
        try changed.checkSync()
        self = changed
    }

    /// Sets a value without a look at what must come together; ``checkSync()`` is due after it.
    mutating func put(
        _ value: MetadataValue, for key: String, followingRules: Bool = true
    ) throws(MetadataError) {
        guard (1...Self.maximumKeyLength).contains(key.utf8.count) else { throw .key }
        if case .number(let number) = value, !number.isFinite { throw .notFinite(key: key) }
        if followingRules, let rule = MetadataRule.of(key), !rule.allows(value) {
            throw .invalid(key: key, expected: rule.expected)
        }
        var others = entries
        others.removeAll { $0.key == key }
        let size = others.reduce(key.utf8.count + value.textSize) {
            $0 + $1.key.utf8.count + $1.value.textSize
        }
        guard others.count < Self.maximumCount, size <= Self.maximumSize else { throw .tooLarge }
        let index = others.firstIndex { key.utf8.lexicographicallyPrecedes($0.key.utf8) }
        others.insert(Entry(key: key, value: value), at: index ?? others.endIndex)
        entries = others
    }

    /// Sets or replaces a value of a known key.
    /// - Throws: when the value is not valid or there is no room.
    public mutating func set<Value>(
        _ value: Value, for key: MetadataKey<Value>
    ) throws(MetadataError) {
        try set(value.metadataValue, for: key.name)
    }

    /// Sets what a sample is recognised by when it is sent again, and its version.
    ///
    /// The two are only there together, so neither can be set alone where the other is missing.
    /// - Throws: when the version is not finite or there is no room; then nothing is changed.
    public mutating func setSync(
        identifier: String, version: Double
    ) throws(MetadataError) {
        var changed = self
        try changed.put(.string(identifier), for: MetadataKey.syncIdentifier.name)
        try changed.put(.number(version), for: MetadataKey.syncVersion.name)
        self = changed
    }

    /// Refuses an identifier without its version, and a version without its identifier.
    func checkSync() throws(MetadataError) {
        let (identifier, version) = (MetadataKey.syncIdentifier.name, MetadataKey.syncVersion.name)
        switch (self[identifier], self[version]) {
        case (nil, _?): throw .incomplete(key: version, missing: identifier)
        case (_?, nil): throw .incomplete(key: identifier, missing: version)
        default: return
        }
    }

    /// Sets the values of other metadata too; they replace those of the same names.
    /// - Throws: when there is no room for all of them; then nothing is changed.
    public mutating func merge(_ other: Metadata) throws(MetadataError) {
        var merged = self
        for entry in other { try merged.put(entry.value, for: entry.key) }
        self = merged
    }

    /// The value of a name; nil when there is none.
    public subscript(key: String) -> MetadataValue? {
        entries.first { $0.key == key }?.value
    }

    /// The value of a known key; nil when there is none or it is of another kind.
    public subscript<Value>(key: MetadataKey<Value>) -> Value? {
        self[key.name].flatMap(Value.init(metadataValue:))
    }
}

extension Metadata {
    /// Whether the two share their memory, as copies do: then they are the same without a look.
    func isCopy(of other: Metadata) -> Bool {
        entries.withUnsafeBufferPointer { left in
            other.entries.withUnsafeBufferPointer { right in
                left.baseAddress == right.baseAddress && left.count == right.count
            }
        }
    }
}

extension Metadata: RandomAccessCollection {
    /// The position of the first entry.
    public var startIndex: Int { entries.startIndex }
    /// The position after the last entry.
    public var endIndex: Int { entries.endIndex }
    /// The entry at a position.
    public subscript(position: Int) -> Entry { entries[position] }
}

/// A value in metadata.
public enum MetadataValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A finite number.
    case number(Double)
    /// Yes or no.
    case boolean(Bool)
    /// A value in a unit.
    case quantity(Quantity)
    /// A point in time.
    case date(Instant)

    fileprivate var textSize: Int {
        switch self {
        case .string(let string): string.utf8.count
        case .quantity(let quantity): quantity.unit.string.utf8.count
        case .number, .boolean, .date: 0
        }
    }
}

/// Metadata cannot hold a value.
public enum MetadataError: Error, Equatable, CustomStringConvertible {
    /// A name is empty or too long.
    case key
    /// A number is infinite or not a number.
    case notFinite(key: String)
    /// The value of a known key is not what its meaning asks for.
    case invalid(key: String, expected: String)
    /// A key is there without the one that it goes with.
    case incomplete(key: String, missing: String)
    /// There are too many entries, or they are too long.
    case tooLarge

    /// The message, without the value.
    public var description: String {
        switch self {
        case .key: "a metadata key has 1 to \(Metadata.maximumKeyLength) bytes"
        case .notFinite(let key): "metadata \(key) is not a finite number"
        case .invalid(let key, let expected): "metadata \(key) must be \(expected)"
        case .incomplete(let key, let missing): "metadata \(key) needs \(missing) beside it"
        case .tooLarge:
            "metadata has at most \(Metadata.maximumCount) entries and \(Metadata.maximumSize) bytes"
        }
    }
}
