public import HealthModel

/// A value whose coded form is a text.
public protocol CodedAsText: Codable, LosslessStringConvertible {}

extension CodedAsText {
    /// Decodes a value from its text.
    ///
    /// - Throws: `DecodingError` when it is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the text of a \(Self.self)")
        }
        self = value
    }

    /// Encodes the text.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Instant: CodedAsText {
    /// Reads an ISO 8601 date or date and time, as ``init(iso8601:)``.
    public init?(_ text: String) { self.init(iso8601: text) }
}

extension RecordID: CodedAsText {
    /// Reads the 36 characters of a UUID.
    public init?(_ text: String) { self.init(uuidString: text) }
}

extension Quantity: Codable {
    private enum Key: CodingKey {
        case value, unit
    }

    /// Decodes a value and the text of its unit.
    ///
    /// - Throws: `DecodingError`, or the errors of a unit and of a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let unit = try Unit(parsing: container.decode(String.self, forKey: .unit))
        try self.init(container.decode(Double.self, forKey: .value), unit)
    }

    /// Encodes the value and the text of its unit.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: .value)
        try container.encode(unit.string, forKey: .unit)
    }
}

extension Device: Codable {
    /// Decodes the properties that are there.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.singleValueContainer().decode([String: String].self)
        func value(_ property: RecordPredicate.DeviceProperty) -> String? {
            values[property.rawValue]
        }
        self.init(
            name: value(.name), manufacturer: value(.manufacturer), model: value(.model),
            hardwareVersion: value(.hardwareVersion), firmwareVersion: value(.firmwareVersion),
            softwareVersion: value(.softwareVersion), localIdentifier: value(.localIdentifier),
            serial: value(.serial))
    }

    /// Encodes the properties that are there.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values: [String: String] = [:]
        for property in RecordPredicate.DeviceProperty.allCases {
            values[property.rawValue] = property.value(of: self)
        }
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }
}

extension MetadataValue: Codable {
    /// The same cases, whose coding the compiler writes.
    private enum Coded: Codable {
        case string(String)
        case number(Double)
        case boolean(Bool)
        case quantity(Quantity)
        case date(Instant)
    }

    /// Decodes a value with its kind.
    ///
    /// - Throws: `DecodingError`, or the errors of a quantity.
    public init(from decoder: any Decoder) throws {
        self =
            switch try Coded(from: decoder) {
            case .string(let value): .string(value)
            case .number(let value): .number(value)
            case .boolean(let value): .boolean(value)
            case .quantity(let value): .quantity(value)
            case .date(let value): .date(value)
            }
    }

    /// Encodes a value with its kind.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        let coded: Coded =
            switch self {
            case .string(let value): .string(value)
            case .number(let value): .number(value)
            case .boolean(let value): .boolean(value)
            case .quantity(let value): .quantity(value)
            case .date(let value): .date(value)
            }
        try coded.encode(to: encoder)
    }
}
