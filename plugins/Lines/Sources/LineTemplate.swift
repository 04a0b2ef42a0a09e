import HealthModel

/// A compiled line template such as `Steps: {steps}`.
///
/// The text is literal except for fields, which match numbers, and runs of spaces, which match any run
/// of spaces and tabs. Matching needs no copy and no backtracking.
struct LineTemplate: Sendable {
    /// The meaning of a number in a line.
    enum Field: Equatable {
        /// The step counter.
        case steps
        /// The distance counter, in the device's unit.
        case distance
        /// A quantity of any type.
        case quantity(LineQuantity)
        /// An ignored number.
        case ignored
    }

    /// An element of a template.
    private enum Element {
        case byte(UInt8)
        case spaces
        case number(Field)
    }

    private let elements: [Element]

    /// Whether the template begins with a number, so that a truncated line may match.
    let beginsWithNumber: Bool

    /// Compiles a template.
    ///
    /// - Throws: ``LineTemplateError`` if the text is not a valid template.
    init(_ text: String, types: QuantityTypes = .standard) throws(LineTemplateError) {
        var compiler = Compiler(types: types)
        try compiler.compile(text)
        elements = compiler.elements
        if case .number = elements.first {
            beginsWithNumber = true
        } else {
            beginsWithNumber = false
        }
    }

    /// The numbers of a matching line; `nil` for any other line.
    func match(_ line: Span<UInt8>) -> LineValues? {
        var values = LineValues()
        var cursor = 0
        for element in elements {
            switch element {
            case .byte(let byte):
                guard cursor < line.count, line[cursor] == byte else { return nil }
                cursor += 1
            case .spaces:
                let start = cursor
                while cursor < line.count, line[cursor].isBlank { cursor += 1 }
                guard cursor > start else { return nil }
            case .number(let field):
                guard let number = DecimalNumber(scanning: line, at: &cursor) else { return nil }
                values.set(number, for: field)
            }
        }
        return cursor == line.count ? values : nil
    }
}

/// The type and unit of a number in a line.
struct LineQuantity: Hashable, Sendable {
    let type: QuantityType
    let unit: Unit
}

/// The numbers of a line.
struct LineValues: Equatable {
    private(set) var steps: DecimalNumber?
    private(set) var distance: DecimalNumber?
    /// The quantities of other types, in the order of the template.
    private(set) var quantities: [TypedNumber] = []

    /// A number with its type and unit.
    struct TypedNumber: Equatable {
        let quantity: LineQuantity
        let number: DecimalNumber
    }

    fileprivate mutating func set(_ number: DecimalNumber, for field: LineTemplate.Field) {
        switch field {
        case .steps: steps = number
        case .distance: distance = number
        case .quantity(let quantity):
            quantities.append(TypedNumber(quantity: quantity, number: number))
        case .ignored: break
        }
    }
}

/// The reason why a template is invalid.
package enum LineTemplateError: Error, Hashable, CustomStringConvertible {
    /// The field is unknown.
    case unknownField(String)
    /// The unit is invalid or not compatible with the type.
    case unit(String)
    /// A brace is not closed.
    case unclosedField
    /// Two fields have no text between them.
    case adjacentFields
    /// A field is used twice.
    case duplicateField(String)
    /// The template has no field other than `{_}`.
    case noUsedField

    /// The problem and the expected text.
    package var description: String {
        switch self {
        case .unknownField(let name):
            "unknown field {\(name)}; use {steps}, {distance}, {_}, or a type with an optional unit, "
                + "such as {bodyTemperature degF}"
        case .unit(let problem): problem
        case .unclosedField: "missing } after {"
        case .adjacentFields: "adjacent fields must be separated by text"
        case .duplicateField(let name): "duplicate field {\(name)}"
        case .noUsedField: "must contain a field other than {_}, such as {steps}"
        }
    }
}

extension LineTemplate {
    /// Compiles the text to elements.
    private struct Compiler {
        var elements: [Element] = []
        private let types: QuantityTypes
        private var seen: Set<String> = []

        init(types: QuantityTypes) {
            self.types = types
        }

        mutating func compile(_ text: String) throws(LineTemplateError) {
            var rest = Array(text.utf8)[...]
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "{"):
                    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                        throw .unclosedField
                    }
                    try appendField(String(decoding: rest[..<end], as: UTF8.self))
                    rest = rest[(end + 1)...]
                case UInt8(ascii: " "):
                    if case .spaces = elements.last { continue }
                    elements.append(.spaces)
                default: elements.append(.byte(byte))
                }
            }
            guard !seen.isEmpty else { throw .noUsedField }
        }

        private mutating func appendField(_ name: String) throws(LineTemplateError) {
            let field = try field(name)
            if case .number = elements.last { throw .adjacentFields }
            if let type = Self.typeName(of: field), !seen.insert(type).inserted {
                throw .duplicateField(name)
            }
            elements.append(.number(field))
        }

        /// Parses `steps`, `distance`, `_`, or a type with an optional unit.
        private func field(_ text: String) throws(LineTemplateError) -> Field {
            switch text {
            case "steps": return .steps
            case "distance": return .distance
            case "_": return .ignored
            default: break
            }
            let words = text.split(separator: " ", maxSplits: 1)
            guard let name = words.first, let type = types.named(String(name)) else {
                throw .unknownField(text)
            }
            guard words.count == 2 else {
                return .quantity(LineQuantity(type: type, unit: type.canonicalUnit))
            }
            let unit: Unit
            do { unit = try Unit(parsing: String(words[1])) } catch { throw .unit("\(error)") }
            guard unit.isCompatible(with: type.canonicalUnit) else {
                throw .unit(
                    "`\(unit)` is not a unit of \(type); use a unit such as `\(type.canonicalUnit)`"
                )
            }
            return .quantity(LineQuantity(type: type, unit: unit))
        }

        private static func typeName(of field: Field) -> String? {
            switch field {
            case .steps: QuantityType.stepCount.name
            case .distance: QuantityType.distanceWalkingRunning.name
            case .quantity(let quantity): quantity.type.name
            case .ignored: nil
            }
        }
    }
}

extension UInt8 {
    /// Whether this is a space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
