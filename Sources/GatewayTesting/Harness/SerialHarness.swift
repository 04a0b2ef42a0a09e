import GatewayCore
public import HealthModel
import JSON
public import Serial

/// A device on a pseudo-terminal, and a gateway that reads it: bytes in, samples in a store out.
public struct SerialHarness: Sendable {
    /// The gateway.
    public let gateway: HarnessGateway
    /// The port of the device.
    public let port: PseudoTerminal

    /// Starts a gateway that reads a port with a protocol, and waits until the port is open.
    ///
    /// - Parameter types: The types of the gateway, with those that the plugin declares.
    public init(
        _ serialProtocol: any SerialProtocol, types: QuantityTypes = .standard
    ) async throws {
        let port = try PseudoTerminal()
        self.port = port
        let factory = SerialProtocolFactory(use: "harness") { _ in serialProtocol }
        gateway = try HarnessGateway(types: types) { context in
            let settings = """
                { use: "serial", port: { path: "\(port.slavePath)" }, protocol: "harness" }
                """
            return try SerialSource.factory(protocols: [factory]).make(
                try ConfigurationNode(json5: settings, types: types), context)
        }
        try await gateway.waitForConnection()
    }

    /// Sends bytes as the device.
    public func send(_ bytes: [UInt8]) async throws {
        try await port.send(bytes)
    }

    /// Waits until the store has so many samples of a type, and returns all of them, the oldest first.
    public func samples(of type: QuantityType, count: Int = 1) async throws -> [QuantitySample] {
        try await gateway.samples(of: type, count: count)
    }
}
