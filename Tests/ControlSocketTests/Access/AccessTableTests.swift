import HealthModel
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost

/// Every row of the table of access, through every transport: client, kind of record, read or share,
/// and decision.
final class AccessTableTests: XCTestCase {
    func testEveryRow_byDirectCall() async throws {
        try await AccessGateway.run { service, _ in
            try await AccessTable(service, DirectTransport(service: service)).check()
        }
    }

    func testEveryRow_throughTheControlSocket() async throws {
        try await AccessGateway.run { service, folder in
            let transport = try SocketTransport(service, in: folder)
            try await AccessTable(service, transport).check()
            await transport.stop()
        }
    }
}
