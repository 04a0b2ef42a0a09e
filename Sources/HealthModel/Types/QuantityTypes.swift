/// The types that a gateway knows: those of the standard table, and custom ones beside them.
///
/// It is a value that is handed on, never a global: a decoder, a configuration and a query know the types
/// that they were given. A copy costs a reference.
public struct QuantityTypes: Sendable, Hashable {
    /// The types of the standard table alone.
    public static let standard = QuantityTypes(custom: [], byName: standardByName)

    /// So many custom types there may be.
    public static let customLimit = 200

    /// The types beside the standard table, in the order in which they were given.
    public let custom: [QuantityType]
    private let byName: [String: QuantityType]

    /// Knows custom types beside the standard table.
    ///
    /// - Throws: ``QuantityTypeError`` when a name is taken, or there are too many of them.
    public init(custom: [QuantityType]) throws(QuantityTypeError) {
        self = try Self.standard.adding(custom)
    }

    private init(custom: [QuantityType], byName: [String: QuantityType]) {
        self.custom = custom
        self.byName = byName
    }

    private static let standardByName: [String: QuantityType] = QuantityType.all.reduce(into: [:]) {
        types, type in
        types[type.name] = type
        if let identifier = type.healthKitIdentifier { types[identifier] = type }
    }

    /// Every type: the standard ones, then the custom ones.
    public var all: [QuantityType] { QuantityType.all + custom }

    /// Finds a type by its name, or by its HealthKit identifier.
    public func named(_ name: String) -> QuantityType? { byName[name] }

    /// The same types, and more of them.
    ///
    /// - Throws: ``QuantityTypeError`` when a name is taken, or there are too many of them.
    public func adding(_ types: [QuantityType]) throws(QuantityTypeError) -> QuantityTypes {
        var byName = byName
        for type in types {
            guard byName[type.name] == nil, RecordType.other(named: type.name) == nil else {
                throw .nameTaken(type.name)
            }
            byName[type.name] = type
        }
        let custom = custom + types
        guard custom.count <= Self.customLimit else { throw .tooMany }
        return QuantityTypes(custom: custom, byName: byName)
    }

    /// The standard types, and the custom ones whose name occurs in a text.
    package func named(in text: String) -> QuantityTypes {
        QuantityTypes(
            custom: custom.filter { text.contains($0.name) }, byName: byName)
    }

    /// Whether both know the same types with the same definitions.
    ///
    /// Two types are equal when their names are; here everything counts, so that a type whose unit has
    /// changed is seen.
    public static func == (left: QuantityTypes, right: QuantityTypes) -> Bool {
        left.custom.elementsEqual(right.custom) { $0.isDefined(as: $1) }
    }

    /// Hashes the names.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(custom)
    }
}
