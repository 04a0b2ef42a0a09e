import XCTest

@testable import DBus

final class BusSignalTests: XCTestCase {
    private let rule = "type='signal',interface='org.example.Test'"

    func testSignal_reachesEveryMatch_withItsSender() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        try await receiver.match(rule)
        let signal = BusSignal("/a", "org.example.Test", "Changed", [.int16(-5)])

        try await sender.emit(signal)
        await receiver.wait { !$0.signals.isEmpty }

        let received = await receiver.signals.first
        XCTAssertEqual(received?.path, "/a")
        XCTAssertEqual(received?.interface, "org.example.Test")
        XCTAssertEqual(received?.member, "Changed")
        XCTAssertEqual(received?.body, [.int16(-5)])
        let name = await sender.uniqueName
        XCTAssertNotNil(name)
        XCTAssertEqual(received?.sender, name)
    }

    func testSignals_inThousands_allArriveInOrder() async throws {
        let count = 10_000
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        try await receiver.match(rule)

        try await sender.emit(
            (0..<count).map {
                BusSignal("/a", "org.example.Test", "Changed", [.uint32(UInt32($0))])
            })
        await receiver.wait { $0.signals.count == count }

        let numbers = await receiver.signals.map { $0.body.first?.integer }
        XCTAssertEqual(numbers, Array(0..<count))
    }

    func testSignal_withADestination_reachesOnlyThat() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receivers = [try await client(on: bus), try await client(on: bus)]
        for receiver in receivers { try await receiver.match(rule) }
        let maybeName = await receivers[0].uniqueName
        let name = try XCTUnwrap(maybeName)

        try await sender.emit(BusSignal("/a", "org.example.Test", "Only"), to: name)
        try await sender.emit(BusSignal("/a", "org.example.Test", "All"))
        for receiver in receivers { await receiver.wait { $0.signals.last?.member == "All" } }

        let members = [
            await receivers[0].signals.map(\.member), await receivers[1].signals.map(\.member),
        ]
        XCTAssertEqual(members, [["Only", "All"], ["All"]])
    }

    func testMatch_thatIsNoRule_isRefusedAndTheConnectionStays() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)

        for rule in ["nonsense", "type='no kind'", "type='signal'\0"] {
            let error = await busError { try await client.match(rule) }
            guard case .failed(_, EINVAL) = error else {
                return XCTFail("\(rule): \(String(describing: error))")
            }
        }
        let names = try await client.call(.listNames)
        XCTAssertEqual(names.count, 1)
    }

    func testMatch_ofNameOwnerChanged_reportsThatAPeerHasLeft() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let watcher = try await client(on: bus)
        try await watcher.match(
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
                + "arg0='org.example'")
        let name = await server.uniqueName

        await server.close()
        await watcher.wait { !$0.signals.isEmpty }

        let body = await watcher.signals.first?.body
        XCTAssertEqual(body, [.string("org.example"), .string(name ?? ""), .string("")])
    }

    func testEmit_whenTheSignalIsNotWellFormed_throws() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        let signals = [
            BusSignal("no path", "org.example.Test", "Changed"),
            BusSignal("/a", "no interface", "Changed"),
            BusSignal("/a", "org.example.Test", "no member"),
            BusSignal("/a", "org.example.Test", "Changed\0"),
        ]

        for signal in signals {
            let error = await busError { try await client.emit(signal) }
            guard case .failed(_, EINVAL) = error else {
                return XCTFail("\(signal): \(String(describing: error))")
            }
        }
        let names = try await client.call(.listNames)
        XCTAssertEqual(names.count, 1)
    }
}
