import GatewayCore
import HTTPTesting
import XCTest

@testable import Web

/// Tests that one client cannot fill the memory with lists that it does not read.
final class ListPlacesTests: XCTestCase {
    private func client(_ user: String?) -> ServiceClient {
        ServiceClient(
            transport: WebGuard.transport, user: user.flatMap { PlainName($0) },
            isOwner: user == nil,
            name: WebGuard.browserName)
    }

    func testClient_hasAFixedNumberOfLists_andOthersHaveTheirs() throws {
        let places = ListPlaces()
        let (owner, first, second) = (client(nil), client("1000"), client("1001"))
        for client in [owner, first] {
            for _ in 0..<8 { try places.enter(client) }
            XCTAssertThrowsError(try places.enter(client)) { error in
                XCTAssertEqual((error as? Problem)?.status, 503)
            }
        }
        try places.enter(second)
        places.leave(first)
        try places.enter(first)
        XCTAssertThrowsError(try places.enter(first))
    }

    /// The place of a list is free again when it is read, and when its client has left.
    func testPlace_isGivenBack() async throws {
        let gateway = FakeGateway { _, channel in
            channel.send(Array("{\"id\":1}\n{\"query\":{\"records\":1}}\n".utf8))
        }
        let web = try await RunningWeb.start(gateway)
        for _ in 0..<20 {
            let response = try web.connect().get("/v1/samples?type=heartRate")
            XCTAssertEqual(response.body, #"{"records":[{"id":1}]}"#)
        }
        try await web.stop()
    }
}
