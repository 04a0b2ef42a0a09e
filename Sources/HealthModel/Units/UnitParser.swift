/// A parser for the text of a unit.
///
///     unit    := "" | product [ "/" product ]
///     product := factor { ("." | "*" | "·") factor }
///     factor  := ( symbol | "(" product ")" ) [ "^" ["-"] digits ] | "()" | "1" before the "/"
///     symbol  := name | [prefix] name | [prefix] "mol" [ "<" decimal ">" ]
///
/// `()` is the unit of a plain number; it must be alone.
struct UnitParser {
    /// The maximum nesting of groups, which bounds the recursion; HealthKit needs far less.
    private static let maximumGroupDepth = 16
    private static let longestExponent = 3

    private let bytes: [UInt8]
    private var position = 0
    private var isAboveDivision = true

    private struct Product {
        var factors = UnitFactors()
        var isNull = false
    }

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(UnitParseError) -> UnitFactors {
        guard bytes.count <= Unit.maximumTextLength else {
            throw fail(at: Unit.maximumTextLength, "at most \(Unit.maximumTextLength) bytes")
        }
        if bytes.isEmpty { return UnitFactors() }
        var product = try parseProduct(depth: 0)
        if take("/") {
            guard !product.isNull else { throw fail(at: 0, "a unit or 1 before /") }
            isAboveDivision = false
            let start = position
            let divisor = try parseProduct(depth: 0)
            guard !divisor.isNull else { throw fail(at: start, "a unit after /") }
            guard product.factors.multiply(by: divisor.factors, exponent: -1) else {
                throw failExponent(at: start)
            }
        }
        guard position == bytes.count else { throw failAtRest(after: product.factors) }
        return product.factors
    }

    /// The error for text after the end of the unit, with a suggestion for a second `/`.
    private mutating func failAtRest(after product: UnitFactors) -> UnitParseError {
        let offset = position
        guard bytes[position] == UInt8(ascii: "/") else {
            return fail(at: offset, "the end or an operator between two symbols")
        }
        return UnitParseError(
            offset: offset, expected: "the end, as a unit has only one /",
            suggestion: dividedByRest(product))
    }

    /// The text of the unit divided by all following products; nil when that is not a unit.
    private mutating func dividedByRest(_ product: UnitFactors) -> String? {
        var product = product
        while position < bytes.count {
            guard take("/"), let divisor = try? parseProduct(depth: 0), !divisor.isNull,
                product.multiply(by: divisor.factors, exponent: -1)
            else { return nil }
        }
        return (try? Unit(parsing: product.text))?.string
    }

    private mutating func parseProduct(depth: Int) throws(UnitParseError) -> Product {
        let start = position
        var product = try parseFactor(depth: depth)
        while take(".") || take("*") || take("·") {
            let factorStart = position
            guard !product.isNull else { throw fail(at: start, "a unit other than ()") }
            let factor = try parseFactor(depth: depth)
            guard !factor.isNull else { throw fail(at: factorStart, "a unit other than ()") }
            guard product.factors.multiply(by: factor.factors, exponent: 1) else {
                throw failExponent(at: factorStart)
            }
        }
        return product
    }

    private mutating func parseFactor(depth: Int) throws(UnitParseError) -> Product {
        let start = position
        if depth == 0, isAboveDivision, takeOne() { return Product() }
        let factor = take("(") ? try parseGroup(depth: depth + 1) : try parseSymbol()
        guard !factor.isNull, take("^") else { return factor }
        let exponent = try parseExponent()
        var product = Product()
        guard product.factors.multiply(by: factor.factors, exponent: exponent) else {
            throw failExponent(at: start)
        }
        return product
    }

    private mutating func parseGroup(depth: Int) throws(UnitParseError) -> Product {
        guard depth <= Self.maximumGroupDepth else {
            throw fail(at: position, "at most \(Self.maximumGroupDepth) nested groups")
        }
        if take(")") { return Product(isNull: true) }
        let product = try parseProduct(depth: depth)
        guard take(")") else { throw fail(at: position, "), as a group cannot contain /") }
        return product
    }

    private mutating func parseExponent() throws(UnitParseError) -> Int {
        let isNegative = take("-")
        let start = position
        var exponent = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"),
            digit < 10
        {
            position += 1
            guard position - start <= Self.longestExponent else { throw failExponent(at: start) }
            exponent = exponent * 10 + Int(digit)
        }
        guard position > start else { throw fail(at: start, "a whole number after ^") }
        return isNegative ? -exponent : exponent
    }

    private mutating func parseSymbol() throws(UnitParseError) -> Product {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard var atom = UnitAtom(name: name) else { throw fail(at: start, "a unit symbol") }
        if atom.symbol == .mole, take("<") {
            let molarMass = try parseMolarMass()
            atom = UnitAtom(.mole, prefix: atom.prefix, molarMass: molarMass)
        }
        var product = Product()
        _ = product.factors.multiply(by: atom, exponent: 1)  // one factor is never too large
        return product
    }

    private mutating func parseMolarMass() throws(UnitParseError) -> Double {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
        guard let molarMass = MolarMass.parse(bytes[start..<position]) else {
            throw fail(at: start, "a molar mass in g/mol as a decimal number")
        }
        guard take(">") else { throw fail(at: position, "> after the molar mass") }
        return molarMass
    }

    private mutating func takeOne() -> Bool {
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "1"),
            bytes[position + 1] == UInt8(ascii: "/")
        else { return false }
        position += 1
        return true
    }

    private mutating func take(_ sign: String) -> Bool {
        guard bytes[position...].starts(with: sign.utf8) else { return false }
        position += sign.utf8.count
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "%")
    }

    private func fail(at offset: Int, _ expected: String) -> UnitParseError {
        UnitParseError(offset: offset, expected: expected)
    }

    private func failExponent(at offset: Int) -> UnitParseError {
        fail(at: offset, "an exponent of at most \(UnitFactors.maximumExponent)")
    }
}

extension UnitAtom {
    /// Finds a symbol by its name, with or without a prefix.
    fileprivate init?(name: String) {
        guard let atom = Self.byName[name] else { return nil }
        self = atom
    }

    /// All names of symbols, with and without prefixes.
    ///
    /// A symbol without a prefix (`min`, `cal`, `pD`) takes precedence.
    private static let byName: [String: UnitAtom] = {
        var names: [String: UnitAtom] = [:]
        for symbol in UnitSymbol.allCases where symbol.definition.isPrefixable {
            for prefix in MetricPrefix.allCases {
                names[prefix.text + symbol.definition.text] = UnitAtom(symbol, prefix: prefix)
            }
        }
        for prefix in MetricPrefix.allCases {
            names[prefix.text + "l"] = UnitAtom(.liter, prefix: prefix)
        }
        for symbol in UnitSymbol.allCases {
            names[symbol.definition.text] = UnitAtom(symbol)
        }
        return names
    }()
}

/// The molar mass of `mol<M>`, in g/mol.
private enum MolarMass {
    /// The range from less than a hydrogen atom to more than a chromosome; printed without an
    /// exponent.
    private static let range = 0.001...1e12

    /// Reads a decimal number, rounded to 16 significant digits.
    ///
    /// HealthKit prints 16 digits of a mass, other programs 17; rounded to 16 both are the same
    /// unit.
    static func parse(_ bytes: ArraySlice<UInt8>) -> Double? {
        let isDecimal = bytes.allSatisfy {
            $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard isDecimal, bytes.first != UInt8(ascii: "."), bytes.last != UInt8(ascii: "."),
            let value = Double(String(decoding: bytes, as: UTF8.self)), range.contains(value)
        else { return nil }
        return rounded(value)
    }

    private static func rounded(_ value: Double) -> Double {
        let text = Array(value.description.utf8)
        let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        let digits = text.filter { $0 != UInt8(ascii: ".") }
            .drop { $0 == UInt8(ascii: "0") }
        guard digits.count > 16, let last = text.last else { return value }
        // The 17th digit is the last one: the shortest text of a double never has more.
        let decimals = text.count - point - 1
        let cut = digits.reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 &- UInt8(ascii: "0")) } / 10
        let sixteen = last >= UInt8(ascii: "5") ? cut + 1 : cut
        return Double("\(sixteen)e\(1 - decimals)") ?? value
    }
}
