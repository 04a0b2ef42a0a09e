import HealthModel
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import Web

/// Every row of the table of access, through every transport: client, kind of record, read or share,
/// and decision.
final class AccessTableTests: XCTestCase {
    func testEveryRow_byDirectCall() async throws {
        try await AccessGateway.run { service, handlers, _ in
            let transport = DirectTransport(service: service, router: RequestRouter(handlers))
            try await AccessTable(service, handlers, transport).check()
        }
    }

    func testEveryRow_throughTheControlSocket() async throws {
        try await AccessGateway.run { service, handlers, folder in
            let transport = try SocketTransport(service, RequestRouter(handlers), in: folder)
            try await AccessTable(service, handlers, transport).check()
            await transport.stop()
        }
    }

    /// The requests that the HTTP interface has, as one of its clients sends them.
    func testEveryRow_overHTTP() async throws {
        try await AccessGateway.run { service, handlers, folder in
            let transport = try await WebTransport(service, RequestRouter(handlers), in: folder)
            try await AccessTable(service, handlers, transport).check()
            // Everybody may have the types.
            XCTAssertEqual(
                transport.asked.union(["types"]), Set(Operations.all.map(\.request)),
                "operations without a row")
            try await transport.stop()
        }
    }
}
