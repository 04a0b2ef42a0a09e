/// What a line of a device looks like, compiled from a text such as `Steps: {steps}`.
///
/// The text is literal but for fields, which match numbers, and runs of spaces, which match any run
/// of spaces and tabs. It is compared byte by byte, without a copy and without going back.
struct LineTemplate: Sendable {
    /// What a number in the line says.
    enum Field: String {
        /// The steps counted so far.
        case steps
        /// The distance counted so far.
        case distance
        /// Nothing that is used.
        case ignored = "_"
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
    init(_ text: String) throws(LineTemplateError) {
        var compiler = Compiler()
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

/// The numbers of a line.
struct LineValues: Equatable {
    private(set) var steps: DecimalNumber?
    private(set) var distance: DecimalNumber?

    fileprivate mutating func set(_ number: DecimalNumber, for field: LineTemplate.Field) {
        switch field {
        case .steps: steps = number
        case .distance: distance = number
        case .ignored: break
        }
    }
}

/// Why a text is no template.
package enum LineTemplateError: Error, Hashable, CustomStringConvertible {
    /// There is no field of this name.
    case unknownField(String)
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
        case .unknownField(let name): "no field is called {\(name)}; known: steps, distance, _"
        case .openField: "a { has no }"
        case .touchingFields: "two fields need something between them"
        case .repeatedField(let name): "{\(name)} stands there twice"
        case .noField: "there is neither {steps} nor {distance}"
        }
    }
}

extension LineTemplate {
    /// Turns the text into elements.
    private struct Compiler {
        var elements: [Element] = []
        private var seen: Set<Field> = []

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
            guard let field = Field(rawValue: name) else { throw .unknownField(name) }
            if case .number = elements.last { throw .touchingFields }
            if field != .ignored, !seen.insert(field).inserted { throw .repeatedField(name) }
            elements.append(.number(field))
        }
    }
}

extension UInt8 {
    /// Whether this is a space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
