import BluetoothTesting
import GatewayTesting
import Platform
import XCTest

@testable import DBus

/// Texts that sd-bus rejects: one does not make the rest of a message unusable.
final class MalformedBodyTests: XCTestCase {
    private static let text = "Bad \u{FFFE} name"

    /// What a client receives when its call is answered with these values.
    private func answer(
        _ body: [BusValue], to client: BusClient, on bus: PrivateBus
    ) async throws -> [BusValue] {
        let server = try await server(on: bus)
        async let answer = client.call(.example("Hold"))
        await server.wait { !$0.requests.isEmpty }
        await server.answerHeld(with: body)
        return try await answer
    }

    func testNonCharacters_areLeftOutOfEveryContainer() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        let bad = BusValue.string(Self.text)
        let body: [BusValue] = [
            .objectPath("/org/example/a"),
            .properties(["Name": bad, "RSSI": .int16(-60)]),
            .array([.string("a"), bad, .string("b")], of: "s"),
            .array(
                [.structure([.byte(1), bad]), .structure([.byte(2), .string("c")])], of: "(ys)"),
            .dictionary([bad: .byte(1), .string("d"): .byte(2)], key: "s", value: "y"),
            .bytes([1, 2, 3]),
        ]

        let answer = try await self.answer(body, to: client, on: bus)

        XCTAssertEqual(
            answer,
            [
                .objectPath("/org/example/a"),
                .properties(["RSSI": .int16(-60)]),
                .array([.string("a"), .string("b")], of: "s"),
                .array([.structure([.byte(2), .string("c")])], of: "(ys)"),
                .dictionary([.string("d"): .byte(2)], key: "s", value: "y"),
                .bytes([1, 2, 3]),
            ])
        let (skipped, rejected) = await (client.skipped, client.rejectedMessageCount)
        let argument = "/org/example/a"
        XCTAssertEqual(
            skipped,
            [[argument, "Name"], [argument], [argument], [argument]].map {
                SkippedValue(sender: "", place: $0)
            })
        XCTAssertEqual(rejected, 0)
    }

    func testArgumentThatIsANonCharacter_rejectsTheMessageOnly() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        try await receiver.match("type='signal',interface='org.example.Test'")

        try await sender.emit(
            BusSignal("/a", "org.example.Test", "Bad", [.string(Self.text), .byte(1)]))
        try await sender.emit(BusSignal("/a", "org.example.Test", "Last"))
        await receiver.wait { !$0.signals.isEmpty }

        let members = await receiver.signals.map(\.member)
        XCTAssertEqual(members, ["Last"])
        let (skipped, rejected) = await (receiver.skipped, receiver.rejectedMessageCount)
        XCTAssertEqual(skipped, [SkippedValue(sender: "/a", place: [])])
        XCTAssertEqual(rejected, 1)
    }

    /// A crowd of devices with such names: the answer is much larger than a socket's buffer.
    func testManyNonCharactersInAMessageOfMegabytes_areCounted_andSomeAreNamed() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        let objects = (0..<20_000).map { number in
            let name = number % 2 == 0 ? "Name \(number)" : Self.text
            let properties = BusValue.properties([
                "Name": .string(name), "Data": .bytes([UInt8](repeating: 1, count: 200)),
            ])
            return (BusValue.objectPath("/o/\(number)"), properties)
        }
        let body = BusValue.dictionary(
            Dictionary(objects) { first, _ in first }, key: "o", value: "a{sv}")

        let answer = try await self.answer([body], to: client, on: bus)

        guard case .dictionary(let entries, _, _)? = answer.first else { return XCTFail() }
        XCTAssertEqual(entries.count, 20_000)
        XCTAssertEqual(entries.values.count { $0.entries?["Name"] != nil }, 10_000)
        let (skipped, count) = await (client.skipped.count, client.skippedValueCount)
        XCTAssertEqual(skipped, 100)
        XCTAssertEqual(count, 10_000)
    }

    /// What other buses than dbus-daemon deliver, which do not look into messages.
    func testInvalidTextsOfEveryKind_areLeftOut() async throws {
        let bus = try privateBus()
        let relay = try BusRelay(to: bus.address) { message in
            message.replace("Latin?", with: Array("Latin".utf8) + [0xFC])
            message.replace("/bad/path/x", with: Array("/bad//path/".utf8))
            message.replace("a(bad)", with: Array("a(bad(".utf8))
            message.replace("zero?", with: Array("zero\0".utf8))
        }
        let client = try BusClient()
        try await client.connect(to: relay.address)
        let body = [
            BusValue.properties([
                "latin": .string("Latin?"), "path": .objectPath("/bad/path/x"),
                "signature": .signature("a(bad)"), "zero": .string("zero?"), "good": .byte(1),
            ])
        ]

        let answer = try await self.answer(body, to: client, on: bus)

        XCTAssertEqual(answer, [.properties(["good": .byte(1)])])
        let skipped = await Set(client.skipped.map(\.place))
        XCTAssertEqual(skipped, [["latin"], ["path"], ["signature"], ["zero"]])
    }
}

extension [UInt8] {
    /// Replaces a text by other bytes of the same length.
    mutating func replace(_ text: String, with bytes: [UInt8]) {
        precondition(text.utf8.count == bytes.count)
        while let range = firstRange(of: text.utf8) { replaceSubrange(range, with: bytes) }
    }
}
