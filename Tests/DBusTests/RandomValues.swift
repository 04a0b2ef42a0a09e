import Platform

@testable import DBus

/// Values of every kind, nested at random.
struct RandomValues {
    private static let basicTypes = Array("ybnqiuxtdsog")
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The arguments of a message.
    mutating func body() -> [BusValue] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in value(of: type(depth: 0)) }
    }

    /// A complete type as a list of letters.
    private mutating func type(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 10 : 6), using: &random) {
        case 6: return "a" + type(depth: depth + 1)
        case 7: return "a{\(basicType())\(type(depth: depth + 1))}"
        case 8:
            let count = Int.random(in: 1...3, using: &random)
            return "(" + (0..<count).map { _ in type(depth: depth + 1) }.joined() + ")"
        case 9: return "v"
        default: return basicType()
        }
    }

    private mutating func basicType() -> String {
        String(Self.basicTypes.randomElement(using: &random) ?? "y")
    }

    private mutating func value(of type: String) -> BusValue {
        switch type.first {
        case "a" where type == "ay": return .bytes((0..<count()).map { _ in number() })
        case "a" where type.dropFirst().first == "{":
            let key = String(type.dropFirst(2).prefix(1))
            let inner = String(type.dropFirst(3).dropLast())
            let entries = (0..<count()).map { _ in (value(of: key), value(of: inner)) }
            return .dictionary(
                Dictionary(entries) { first, _ in first }, key: key, value: inner)
        case "a":
            let inner = String(type.dropFirst())
            return .array((0..<count()).map { _ in value(of: inner) }, of: inner)
        case "(":
            return .structure(members(of: String(type.dropFirst().dropLast())))
        case "v": return .variant(value(of: self.type(depth: 3)))
        default: return basicValue(of: type)
        }
    }

    private mutating func members(of types: String) -> [BusValue] {
        var rest = Substring(types)
        var members: [BusValue] = []
        while !rest.isEmpty {
            let length = Self.lengthOfFirstType(rest)
            members.append(value(of: String(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return members
    }

    private static func lengthOfFirstType(_ types: Substring) -> Int {
        var depth = 0
        var length = 0
        for letter in types {
            length += 1
            if "({".contains(letter) { depth += 1 }
            if ")}".contains(letter) { depth -= 1 }
            if depth == 0 && letter != "a" { break }
        }
        return length
    }

    private mutating func basicValue(of type: String) -> BusValue {
        switch type {
        case "y": .byte(number())
        case "b": .boolean(Bool.random(using: &random))
        case "n": .int16(number())
        case "q": .uint16(number())
        case "i": .int32(number())
        case "u": .uint32(number())
        case "x": .int64(number())
        case "t": .uint64(number())
        case "d": .double(Double.random(in: -1e9...1e9, using: &random))
        case "o": .objectPath("/a\(count())/b_\(count())")
        case "g": .signature(self.type(depth: 2))
        default: .string(text())
        }
    }

    private mutating func text() -> String {
        String((0..<count()).map { _ in Character(["a", "ß", "\n", "心", "🫀"][count()]) })
    }

    private mutating func count() -> Int { Int.random(in: 0..<5, using: &random) }

    private mutating func number<Number: FixedWidthInteger>() -> Number {
        Number.random(in: .min ... .max, using: &random)
    }
}
