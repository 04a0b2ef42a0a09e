import Platform

/// The quantity types of a gateway: the standard table and custom types.
///
/// It is a value and never global: a decoder, a configuration and a query know the types that they
/// are given. A copy costs a reference.
public struct QuantityTypes: Sendable, Hashable {
    /// The types of the standard table only.
    public static let standard = QuantityTypes(custom: [], byName: standardByName)

    /// The maximum number of custom types.
    public static let customLimit = 200

    /// The custom types, in their original order.
    public let custom: [QuantityType]
    private let byName: [String: QuantityType]

    /// Makes the standard types and custom types.
    ///
    /// - Throws: ``QuantityTypeError`` when a name is taken, or there are too many custom types.
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

    /// All types: the standard ones, then the custom ones.
    public var all: [QuantityType] { QuantityType.all + custom }

    /// Finds a type by its name or by its HealthKit identifier.
    public func named(_ name: String) -> QuantityType? { byName[name] }

    /// Returns these types and additional custom types.
    ///
    /// - Throws: ``QuantityTypeError`` when a name is taken, or there are too many custom types.
    public func adding(_ types: [QuantityType]) throws(QuantityTypeError) -> QuantityTypes {
        var byName = byName
        for type in types {
            guard byName[type.name] == nil, RecordType.other(named: type.name) == nil else {
                throw .nameTaken(type.name, by: byName[type.name]?.declaringModule)
            }
            byName[type.name] = type
        }
        let custom = custom + types
        guard custom.count <= Self.customLimit else { throw .tooMany }
        return QuantityTypes(custom: custom, byName: byName)
    }

    /// The standard types, and the custom types whose names occur in a text.
    package func named(in text: String) -> QuantityTypes {
        QuantityTypes(
            custom: custom.filter { text.contains(text: $0.name) }, byName: byName)
    }

    /// Whether both have the same types with the same definitions.
    ///
    /// Unlike the equality of types, which compares names, this detects a changed definition.
    public static func == (left: QuantityTypes, right: QuantityTypes) -> Bool {
        left.custom.elementsEqual(right.custom) { $0.isDefined(as: $1) }
    }

    /// Hashes the names.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(custom)
    }
}
