import GatewayCore
import GatewayTesting
import HealthModel
import HxM
import JSON
import Lines
import SQLiteSink
import Simulator
import Synchronization
import XCTest

@testable import GatewayHost
@testable import Platform

/// A gateway as `pulsegate run` runs it, in a folder of its own: it reads a port that does not exist.
final class HostedGateway: Sendable {
    /// The adopted port.
    static let port = "/dev/tty-test"

    let folder: TemporaryFolder
    let plugins = Plugins(
        serialProtocols: [LinesProtocol.factory, HxMProtocol.factory],
        sources: [SimulatorSource.factory(profiles: [], serialProtocols: [LinesProtocol.factory])],
        sinks: [SQLiteSink.factory])
    private let environment: Environment

    /// Writes the configuration, and adopts the port.
    init(_ configuration: String) throws {
        folder = try TemporaryFolder()
        // bluetoothd is not reachable: a Bluetooth source retries.
        environment = Environment(variables: [
            "XDG_DATA_HOME": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
        ])
        try folder.makeFolder("pulsegate")
        let adopted =
            #"{"v":1,"devices":{"\#(Self.port)":{"protocol":"hxm","since":"2026-11-21T18:15:00.000Z"}}}"#
        try folder.write(Array(adopted.utf8), to: "pulsegate/\(DataFiles.adopted)")
        try configure(configuration)
    }

    func configure(_ text: String) throws {
        try folder.write(Array(text.utf8), to: "pulsegate.json5")
    }

    /// The text of a file in the data directory; empty when there is none.
    func text(of name: String) -> String {
        (try? String(contentsOfFile: folder.path("pulsegate/\(name)"), encoding: .utf8)) ?? ""
    }

    private func configuration() throws(HostError) -> ConfigurationFile {
        try ConfigurationFile.load(
            option: folder.path("pulsegate.json5"), environment: environment,
            types: plugins.makeQuantityTypes())
    }

    /// Runs the gateway for as long as `body` takes.
    func run(
        isSimulation: Bool = false,
        _ body: @escaping @Sendable (GatewayService) async throws -> Void
    ) async throws {
        let file = try configuration()
        let directory = try DataDirectory.locate(
            file, environment: environment, isSimulation: isSimulation)
        let host = GatewayHost(
            plugins: plugins, environment: environment, clock: SystemClock(),
            log: Logger(component: "test") { _ in }, executor: nil)
        let stop = StopSignal()
        let transport = TestTransport(body: body, stop: stop)
        var options = GatewayHost.Options()
        options.simulation = isSimulation ? .store : nil
        if !isSimulation {
            options.loadConfiguration = { [self] () throws(HostError) in try configuration() }
        }
        options.transports = [{ _ in transport }]
        let plan =
            isSimulation
            ? GatewayPlan(simulating: file, folder: directory, plugins: plugins)
            : try GatewayPlan(file: file, folder: directory, plugins: plugins)
        try await host.run(plan, options, until: stop)
        try transport.result.withLock { $0 }?.get()
    }

    /// Sends requests, one after the other, and returns the answers.
    func answers(to requests: [String], isSimulation: Bool = false) async throws -> [String] {
        let channel = RecordingChannel()
        try await run(isSimulation: isSimulation) { service in
            for request in requests {
                _ = await RequestRouter().answer(Array(request.utf8), service, channel)
            }
        }
        return channel.lines
    }
}

/// Runs a test against the service, then stops the gateway.
private final class TestTransport: ServiceTransport {
    let result = Mutex<Result<Void, any Error>?>(nil)
    private let body: @Sendable (GatewayService) async throws -> Void
    private let stop: StopSignal

    init(body: @escaping @Sendable (GatewayService) async throws -> Void, stop: StopSignal) {
        self.body = body
        self.stop = stop
    }

    func run(_ service: GatewayService) async {
        do {
            try await body(service)
            result.withLock { $0 = .success(()) }
        } catch {
            result.withLock { $0 = .failure(error) }
        }
        stop.stop()
    }
}
