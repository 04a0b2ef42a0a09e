import BluetoothTesting
import GatewayTesting
import XCTest

@testable import DBus

final class BusCallTests: XCTestCase {
    func testCall_returnsWhatTheMethodReturned() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)
        let body: [BusValue] = [.string("strap"), .bytes([1, 2])]

        let answer = try await client.call(.example("Echo", body))

        XCTAssertEqual(answer, body)
        let request = await server.requests.first
        XCTAssertEqual(request?.path, "/org/example/a")
        XCTAssertEqual(request?.interface, "org.example.Test")
        XCTAssertEqual(request?.member, "Echo")
        let name = await client.uniqueName
        XCTAssertEqual(request?.sender, name)
    }

    func testCall_betweenTwoServers_goesBothWays() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)
        try await client.serve("/client")
        _ = try await client.call(.listNames)
        let maybeName = await client.uniqueName
        let name = try XCTUnwrap(maybeName)

        let answer = try await server.call(
            BusCall(name, "/client", "org.example.Test", "Echo", [.byte(7)]))

        XCTAssertEqual(answer, [.byte(7)])
    }

    func testCall_whenTheMethodFails_carriesItsErrorOnce() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        let error = await busError { _ = try await client.call(.example("Fail")) }

        XCTAssertEqual(
            error, .remote(name: "org.example.Error.Wrong", message: "it went wrong"))
        withExtendedLifetime(server) {}
    }

    func testCall_whenTheServersErrorHasNoName_isAFailure() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        let error = await busError { _ = try await client.call(.example("FailBadly")) }

        XCTAssertEqual(
            error, .remote(name: "org.freedesktop.DBus.Error.Failed", message: "it went wrong"))
        withExtendedLifetime(server) {}
    }

    func testCall_whenTheServersAnswerIsNotWellFormed_isAFailure() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        let error = await busError { _ = try await client.call(.example("ReturnNonsense")) }

        XCTAssertEqual(
            error,
            .remote(
                name: "org.freedesktop.DBus.Error.Failed", message: "cannot encode the reply"))
        withExtendedLifetime(server) {}
    }

    func testCall_whenNameHasNoOwner_fails() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)

        let error = await busError { _ = try await client.call(.example("Echo")) }

        guard case .remote("org.freedesktop.DBus.Error.ServiceUnknown", _) = error else {
            return XCTFail("\(String(describing: error))")
        }
    }

    func testCall_whenTheServerForgetsTheRequest_fails() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        let error = await busError { _ = try await client.call(.example("Drop")) }

        XCTAssertEqual(
            error, .remote(name: "org.freedesktop.DBus.Error.NoReply", message: "no reply"))
        withExtendedLifetime(server) {}
    }

    func testCall_mayBeAnsweredLater() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)
        async let answer = client.call(.example("Hold"))
        await server.wait { !$0.requests.isEmpty }

        await server.answerHeld(with: [.boolean(true)])

        let value = try await answer
        XCTAssertEqual(value, [.boolean(true)])
    }

    func testCall_whenNoAnswerComes_timesOut() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        let error = await busError {
            _ = try await client.call(.example("Hold"), timeoutSeconds: 0.05)
        }

        XCTAssertEqual(error, .timedOut)
        await server.answerHeld(with: [])
        let names = try await client.call(.listNames)
        XCTAssertEqual(names.count, 1, "an answer that comes late disturbs nothing")
    }

    func testCancel_theHandlerIsNotCalled() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)

        let wasCalled = try await client.callAndCancel(.listNames)

        XCTAssertFalse(wasCalled)
    }

    func testCall_whenItIsNotWellFormed_failsAndTheConnectionStays() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        let calls = [
            BusCall("org.example", "no path", "org.example", "Echo"),
            BusCall("no name", "/a", "org.example", "Echo"),
            BusCall("org.example\0", "/a", "org.example", "Echo"),
            BusCall("org.example", "/a", "org.example", "no member"),
            .example("Echo", [.string("a\0b")]),
        ]

        for call in calls {
            let error = await busError { _ = try await client.call(call) }
            guard case .failed(_, EINVAL) = error else {
                return XCTFail("\(call): \(String(describing: error))")
            }
        }
        let names = try await client.call(.listNames)
        XCTAssertEqual(names.count, 1)
    }

    func testRequestName_whenItIsTaken_reportsIt() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        let error = await busError { try await client.take(name: "org.example") }

        guard case .failed(_, EEXIST) = error else {
            return XCTFail(String(describing: error))
        }
        try await server.give(name: "org.example")
        try await client.take(name: "org.example")
    }
}
