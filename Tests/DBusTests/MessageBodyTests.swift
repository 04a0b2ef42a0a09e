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

    func testElementsBeyondTheLimit_areLeftOutAndCounted() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        let server = try await server(on: bus)
        let element = BusValue.array(Array(repeating: .boolean(true), count: 300_000), of: "b")
        let many = BusValue.array(Array(repeating: element, count: 6), of: "ab")

        let held = Task { try await client.call(.example("Hold")) }
        await server.wait { !$0.requests.isEmpty }
        await server.answerHeld(with: [many, .byte(1)])
        let answer = try await held.value

        XCTAssertEqual(answer.count, 2)
        XCTAssertEqual(answer.first?.elements?.count, 4)
        XCTAssertEqual(answer.last, .byte(1))
        let (leftOut, rejected) = await (client.leftOutElementCount, client.rejectedMessageCount)
        XCTAssertEqual(leftOut, 2)
        XCTAssertEqual(rejected, 0)
    }

    /// The other reader, because of a text that sd-bus rejects.
    func testEntriesBeyondTheLimit_besideAMalformedText_areLeftOutAndCounted() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        let server = try await server(on: bus)
        let element = BusValue.array(Array(repeating: .boolean(true), count: 300_000), of: "b")
        let entries = (0..<6).map { (BusValue.byte($0), element) }
        let many = BusValue.dictionary(
            Dictionary(entries) { first, _ in first }, key: "y", value: "ab")
        let texts = BusValue.array([.string("Bad \u{FFFE} name"), .string("good")], of: "s")

        let held = Task { try await client.call(.example("Hold")) }
        await server.wait { !$0.requests.isEmpty }
        await server.answerHeld(with: [texts, many])
        let answer = try await held.value

        XCTAssertEqual(answer.count, 2)
        guard case .dictionary(let kept, _, _)? = answer.last else { return XCTFail() }
        XCTAssertEqual(kept.count, 4)
        XCTAssertEqual(answer.first, .array([.string("good")], of: "s"))
        let (leftOut, rejected) = await (client.leftOutElementCount, client.rejectedMessageCount)
        XCTAssertEqual(leftOut, 2)
        XCTAssertEqual(rejected, 0)
    }

    func testSignal_withElementsBeyondTheLimit_isDeliveredAndNamed() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        try await receiver.match("type='signal',interface='org.example.Test'")
        // The array itself is a value, too.
        let many = BusValue.array(
            Array(repeating: .boolean(true), count: 1_000_000), of: "b")

        try await sender.emit(BusSignal("/a", "org.example.Test", "Many", [many]))
        await receiver.wait { !$0.signals.isEmpty }

        let count = await receiver.signals.first?.body.first?.elements?.count
        XCTAssertEqual(count, 999_999)
        let (leftOut, skipped) = await (receiver.leftOutElementCount, receiver.skipped)
        XCTAssertEqual(leftOut, 1)
        XCTAssertEqual(skipped, [SkippedValue(sender: "/a", place: [])])
    }

    func testElement_withMoreValuesThanTheLimit_makesTheMessageUnusable() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        try await receiver.match("type='signal',interface='org.example.Test'")
        let element = BusValue.array(
            Array(repeating: .boolean(true), count: 1_000_001), of: "b")

        try await sender.emit(
            BusSignal("/a", "org.example.Test", "Many", [.array([element], of: "ab")]))
        try await sender.emit(BusSignal("/a", "org.example.Test", "Last"))
        await receiver.wait { !$0.signals.isEmpty }

        let members = await receiver.signals.map(\.member)
        XCTAssertEqual(members, ["Last"])
        let refused = await receiver.rejectedMessageCount
        XCTAssertEqual(refused, 1)
    }
}
