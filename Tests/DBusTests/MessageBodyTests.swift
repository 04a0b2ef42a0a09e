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
