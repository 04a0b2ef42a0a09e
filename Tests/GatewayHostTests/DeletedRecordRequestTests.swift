import GatewayTesting
import HealthModel
import HealthStore
import SQLiteStore
import XCTest

@testable import GatewayCore
@testable import GatewayHost

/// Requests about records that were deleted from the store, and about people who may not be known.
final class DeletedRecordRequestTests: XCTestCase {
    private let request = """
        {"request":"ingest","waitForStore":true,"records":[{"id":\
        "01a205f3-760c-87ea-8618-3d940f131c7f","type":"bodyMass","value":70,"unit":"kg",\
        "start":"2026-01-01T00:00:00Z","end":"2026-01-01T00:00:00Z","person":"ada"}]}
        """

    /// The store leaves out what was deleted, and says so; until an import, as of a file, brings it back.
    func testWaitForStore_ofADeletedRecord_isFalse() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let channel = RecordingChannel()
        let path = gateway.folder.path("pulsegate/health.sqlite")
        let id = try XCTUnwrap(RecordID(uuidString: "01a205f3-760c-87ea-8618-3d940f131c7f"))
        let request = request
        try await gateway.run { service in
            func send(_ request: String) async {
                _ = await RequestRouter().answer(Array(request.utf8), service, channel)
            }
            await send(request)
            let store = try SQLiteStore(path: path)
            _ = try await store.delete(
                .records([id], kinds: [.sample]), at: Instant(nanosecondsSince1970: 1))
            await send(#"{"request":"forwardDeletions"}"#)
            await send(request)
            let samples = try await store.samples(matching: SampleQuery(type: .bodyMass))
            XCTAssertEqual(samples, [])
        }
        XCTAssertEqual(
            channel.lines,
            [
                #"{"accepted":1,"stored":true}"#, #"{"forwarding":true}"#,
                #"{"accepted":1,"stored":false}"#,
            ])
    }

    /// A client that may store a type, but not read the type of the record that has the id.
    func testIngest_ofAnotherUser_answersTheSameForEveryID() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let other = RecordingChannel(
            ServiceClient(
                transport: PlainName(known: "test"), user: PlainName("7002"), isOwner: false))
        let owner = RecordingChannel()
        let path = gateway.folder.path("pulsegate/health.sqlite")
        let request = request
        let foreign = request.replacing("bodyMass", with: "height")
            .replacing(#""unit":"kg""#, with: #""unit":"cm""#)
        let adding = foreign.replacing(#""ingest""#, with: #""add""#)
            .replacing(#""records":["#, with: #""sample":"#).replacing("}]}", with: "}}")
        let id = try XCTUnwrap(RecordID(uuidString: "01a205f3-760c-87ea-8618-3d940f131c7f"))
        try await gateway.run { service in
            func send(_ request: String, _ channel: RecordingChannel) async {
                _ = await RequestRouter().answer(Array(request.utf8), service, channel)
            }
            let hello = #"{"request":"hello","name":"guess"}"#
            await send(hello, other)
            let client = try XCTUnwrap(other.client.id)
            _ = try await service.access.decide(client, [.share: .types(["height"])], .granted)
            await send(request, owner)
            await send(foreign, other)
            await send(adding, other)
            await send(foreign.replacing("8618", with: "8619"), other)
            let store = try SQLiteStore(path: path)
            _ = try await store.delete(
                .records([id], kinds: [.sample]), at: Instant(nanosecondsSince1970: 1))
            await send(#"{"request":"forwardDeletions"}"#, owner)
            await send(foreign, other)
            _ = try await service.access.decide(client, [.read: .all], .granted)
            await send(foreign, other)
            // Who may read it learns of it.
            await send(request.replacing("8618", with: "8620"), owner)
            await send(foreign.replacing("8618", with: "8620"), other)
        }
        let accepted = #"{"accepted":1,"stored":true}"#
        XCTAssertEqual(
            Array(other.lines.dropFirst()),
            [
                accepted, #"{"added":{"id":"\#(id)"},"stored":true}"#, accepted, accepted,
                #"{"accepted":1,"stored":false}"#, #"{"error":"another record has that id"}"#,
            ])
        XCTAssertEqual(owner.lines, [accepted, #"{"forwarding":true}"#, accepted])
    }

    /// Whether a person exists is nobody's business.
    func testTap_ofAnotherUser_answersTheSameForEveryName() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let other = RecordingChannel(
            ServiceClient(
                transport: PlainName(known: "test"), user: PlainName("7002"), isOwner: false))
        let owner = RecordingChannel()
        try await gateway.run { service in
            func tap(_ name: String, _ channel: RecordingChannel) async {
                let request = #"{"request":"tap","person":"\#(name)"}"#
                _ = await RequestRouter().answer(Array(request.utf8), service, channel)
            }
            _ = await RequestRouter().answer(
                Array(#"{"request":"hello","name":"guess"}"#.utf8), service, other)
            for name in ["ada", "nobody"] { await tap(name, other) }
            await tap("nobody", owner)
        }
        XCTAssertEqual(
            Array(other.lines.dropFirst()),
            [#"{"tap":{"person":"ada"}}"#, #"{"tap":{"person":"nobody"}}"#])
        XCTAssertTrue(owner.lines[0].contains("unknown person"), owner.lines[0])
    }
}
