import GatewayTesting
import Platform
import XCTest

@testable import DBus

final class MessageBodyTests: XCTestCase {
    func testEveryKindOfValue_comesBackTheSame() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)
        let body: [BusValue] = [
            .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min),
            .uint32(.max), .int64(.min), .uint64(.max), .double(-0.5), .double(.infinity),
            .string(""), .string("Gürtel 心"), .objectPath("/"), .objectPath("/org/bluez/hci0"),
            .signature(""), .signature("a{sv}(oay)"), .bytes([]), .bytes([0, 255]),
            .array([], of: "s"), .array([.string("a"), .string("b")], of: "s"),
            .array([.array([.uint16(1)], of: "q"), .array([], of: "q")], of: "aq"),
            .dictionary([:], key: "s", value: "v"),
            .dictionary([.uint16(117): .variant(.bytes([1]))], key: "q", value: "v"),
            .structure([.string("a"), .structure([.byte(1)])]),
            .variant(.variant(.array([.structure([.boolean(true)])], of: "(b)"))),
        ]

        let answer = try await client.call(.example("Echo", body))

        XCTAssertEqual(answer, body)
        withExtendedLifetime(server) {}
    }

    func testRandomValues_comeBackTheSame() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        for seed in 0..<UInt64(200 * FuzzFactor.current) {
            var values = RandomValues(seed: seed)
            let body = values.body()
            let answer = try await client.call(.example("Echo", body))
            XCTAssertEqual(answer, body, "seed \(seed)")
        }
        withExtendedLifetime(server) {}
    }

    func testValuesThatDBusDoesNotAllow_areRefusedAndTheConnectionStays() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        var deep = BusValue.byte(1)
        for _ in 0..<100 { deep = .variant(deep) }
        let values: [BusValue] = [
            .string("a\0"), .objectPath(""), .objectPath("a"), .objectPath("/a/"),
            .objectPath("/a//b"), .objectPath("/ä"), .signature("("), .signature("{sv}"),
            .signature(String(repeating: "a", count: 40) + "y"),
            .array([.string("a")], of: "i"), .array([], of: ""), .array([], of: "ss"),
            .array([], of: "?"), .array([], of: "s\0"), .array([.byte(1)], of: "{sv}"),
            .dictionary([:], key: "", value: ""), .dictionary([:], key: "v", value: "s"),
            .dictionary([.string("a"): .byte(1)], key: "s", value: "v"),
            .dictionary([.byte(1): .byte(1)], key: "s", value: "y"),
            .structure([]), .variant(.structure([])), .variant(.array([], of: "")), deep,
        ]

        for value in values {
            let error = await busError {
                try await client.emit(BusSignal("/a", "org.example.Test", "Changed", [value]))
            }
            guard case .failed(_, EINVAL) = error else {
                XCTFail("\(value): \(String(describing: error))")
                continue
            }
        }
        let names = try await client.call(.listNames)
        XCTAssertEqual(names.count, 1)
    }

    func testMessage_withMoreValuesThanTheLimit_isCountedAndLeftOut() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        try await receiver.match("type='signal',interface='org.example.Test'")
        let many = BusValue.array(
            Array(repeating: .boolean(true), count: 1_000_001), of: "b")

        try await sender.emit(BusSignal("/a", "org.example.Test", "Many", [many]))
        try await sender.emit(BusSignal("/a", "org.example.Test", "Last"))
        await receiver.wait { !$0.signals.isEmpty }

        let members = await receiver.signals.map(\.member)
        XCTAssertEqual(members, ["Last"])
        let refused = await receiver.rejectedMessageCount
        XCTAssertEqual(refused, 1)
    }
}

/// Values of every kind, nested at random.
private struct RandomValues {
    private static let basicTypes = Array("ybnqiuxtdsog")
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

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
