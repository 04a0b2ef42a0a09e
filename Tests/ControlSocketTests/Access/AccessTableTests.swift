import HealthModel
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost

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
}
