import HealthModel

/// What a line of a device looks like, compiled from a text such as `Steps: {steps}`.
///
/// The text is literal but for fields, which match numbers, and runs of spaces, which match any run
/// of spaces and tabs. It is compared byte by byte, without a copy and without going back.
struct LineTemplate: Sendable {
    /// What a number in the line says.
    enum Field: Equatable {
        /// The steps counted so far, as the device counts.
        case steps
        /// The distance counted so far, in the device's unit.
        case distance
        /// A quantity of any type.
        case quantity(LineQuantity)
        /// Nothing that is used.
        case ignored
    }

    /// What a line must have next.
    private enum Element {
        case byte(UInt8)
        case spaces
        case number(Field)
    }

    private let elements: [Element]

    /// Whether a line of this look begins with a number, so that a torn one may look whole.
    let beginsWithNumber: Bool

    /// Compiles a template.
    ///
    /// - Throws: ``LineTemplateError`` that says what in the text is no template.
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

    /// The numbers of a line that looks like this, `nil` for any other line.
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

/// What a number of a line measures.
struct LineQuantity: Hashable, Sendable {
    let type: QuantityType
    let unit: Unit
}

/// The numbers of a line.
struct LineValues: Equatable {
    private(set) var steps: DecimalNumber?
    private(set) var distance: DecimalNumber?
    /// The quantities of other types, in the order of the template.
    private(set) var quantities: [Measured] = []

    /// A number, and what it is of.
    struct Measured: Equatable {
        let quantity: LineQuantity
        let number: DecimalNumber
    }

    fileprivate mutating func set(_ number: DecimalNumber, for field: LineTemplate.Field) {
        switch field {
        case .steps: steps = number
        case .distance: distance = number
        case .quantity(let quantity):
            quantities.append(Measured(quantity: quantity, number: number))
        case .ignored: break
        }
    }
}

/// Why a text is no template.
package enum LineTemplateError: Error, Hashable, CustomStringConvertible {
    /// There is no field of this name.
    case unknownField(String)
    /// The unit of a field is none, or does not measure what its type does.
    case unit(String)
    /// A brace is opened and not closed.
    case openField
    /// Two fields touch, so that nobody could say where the first number ends.
    case touchingFields
    /// A field stands there twice.
    case repeatedField(String)
    /// No field is of any use.
    case noField

    /// What is wrong, and what belongs there.
    package var description: String {
        switch self {
        case .unknownField(let name):
            "no field is called {\(name)}; known: steps, distance, _, and every type, alone or with a "
                + "unit: {bodyTemperature degF}"
        case .unit(let problem): problem
        case .openField: "a { has no }"
        case .touchingFields: "two fields need something between them"
        case .repeatedField(let name): "{\(name)} stands there twice"
        case .noField: "there is no field that is kept, such as {steps}"
        }
    }
}

extension LineTemplate {
    /// Turns the text into elements.
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
                    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { throw .openField }
                    try appendField(String(decoding: rest[..<end], as: UTF8.self))
                    rest = rest[(end + 1)...]
                case UInt8(ascii: " "):
                    if case .spaces = elements.last { continue }
                    elements.append(.spaces)
                default: elements.append(.byte(byte))
                }
            }
            guard !seen.isEmpty else { throw .noField }
        }

        private mutating func appendField(_ name: String) throws(LineTemplateError) {
            let field = try field(name)
            if case .number = elements.last { throw .touchingFields }
            if let type = Self.typeName(of: field), !seen.insert(type).inserted {
                throw .repeatedField(name)
            }
            elements.append(.number(field))
        }

        /// `steps`, `distance`, `_`, or a type, perhaps with the unit in which it is printed.
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
                    "`\(unit)` does not measure \(type); `\(type.canonicalUnit)` does")
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
