/// The metadata of a record: additional facts by key; HealthKit's raw keys where it has one.
///
/// Entries are sorted by the bytes of their keys, so equal metadata has the same text. Empty
/// metadata needs no memory. The limits ensure that every record fits into a line.
public struct Metadata: Hashable, Sendable {
    /// The maximum number of entries.
    public static let maximumCount = 64
    /// The maximum length of a key, in bytes of UTF-8.
    public static let maximumKeyLength = 128
    /// The maximum size of all keys, strings and units together, in bytes of UTF-8.
    public static let maximumSize = 4_096

    /// A key and its value.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public let key: String
        /// The value.
        public let value: MetadataValue
    }

    private var entries: [Entry] = []

    /// Makes empty metadata.
    public init() {}

    /// Makes metadata from keys and values.
    /// - Throws: when a key or a value is not valid, or there are too many.
    public init(_ values: [String: MetadataValue]) throws(MetadataError) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { try put(value, for: key) }
        try checkSync()
    }

    /// Sets or replaces a value.
    ///
    /// The value of a known key must have its kind; other keys accept any value.
    /// - Throws: when the key or the value is not valid, or the metadata is full.
    public mutating func set(_ value: MetadataValue, for key: String) throws(MetadataError) {
        var changed = self
        try changed.put(value, for: key)
        try changed.checkSync()
        self = changed
    }

    /// Sets a value without checking keys that require each other; call ``checkSync()`` afterwards.
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
    /// - Throws: when the value is not valid or the metadata is full.
    public mutating func set<Value>(
        _ value: Value, for key: MetadataKey<Value>
    ) throws(MetadataError) {
        try set(value.metadataValue, for: key.name)
    }

    /// Sets the sync identifier, by which a sample is recognised when it is sent again, and its
    /// version.
    ///
    /// The two require each other, so neither can be set alone.
    /// - Throws: when the version is not finite or the metadata is full; then nothing is changed.
    public mutating func setSync(
        identifier: String, version: Double
    ) throws(MetadataError) {
        var changed = self
        try changed.put(.string(identifier), for: MetadataKey.syncIdentifier.name)
        try changed.put(.number(version), for: MetadataKey.syncVersion.name)
        self = changed
    }

    /// Throws for a sync identifier without a version, and for a version without an identifier.
    func checkSync() throws(MetadataError) {
        let (identifier, version) = (MetadataKey.syncIdentifier.name, MetadataKey.syncVersion.name)
        switch (self[identifier], self[version]) {
        case (nil, _?): throw .incomplete(key: version, missing: identifier)
        case (_?, nil): throw .incomplete(key: identifier, missing: version)
        default: return
        }
    }

    /// Adds the values of other metadata, which replace those with the same keys.
    /// - Throws: when the metadata would be too large; then nothing is changed.
    public mutating func merge(_ other: Metadata) throws(MetadataError) {
        var merged = self
        for entry in other { try merged.put(entry.value, for: entry.key) }
        self = merged
    }

    /// The value of a key; nil when there is none.
    public subscript(key: String) -> MetadataValue? {
        entries.first { $0.key == key }?.value
    }

    /// The value of a known key; nil when there is none or it has another kind.
    public subscript<Value>(key: MetadataKey<Value>) -> Value? {
        self[key.name].flatMap(Value.init(metadataValue:))
    }
}

extension Metadata {
    /// Whether both share the same memory, like copies: a fast check for equality.
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
    /// A string.
    case string(String)
    /// A finite number.
    case number(Double)
    /// True or false.
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

/// An error of an invalid metadata entry.
public enum MetadataError: Error, Equatable, CustomStringConvertible {
    /// A key is empty or too long.
    case key
    /// A number is infinite or not a number.
    case notFinite(key: String)
    /// The value of a known key is not valid for it.
    case invalid(key: String, expected: String)
    /// A key is set without the key that it requires.
    case incomplete(key: String, missing: String)
    /// There are too many entries, or they are too long.
    case tooLarge

    /// The message, without the value.
    public var description: String {
        switch self {
        case .key: "a metadata key must have 1 to \(Metadata.maximumKeyLength) bytes"
        case .notFinite(let key): "metadata \(key) must be a finite number"
        case .invalid(let key, let expected): "metadata \(key) must be \(expected)"
        case .incomplete(let key, let missing): "metadata \(key) requires \(missing)"
        case .tooLarge:
            "metadata must have at most \(Metadata.maximumCount) entries and \(Metadata.maximumSize) bytes"
        }
    }
}
