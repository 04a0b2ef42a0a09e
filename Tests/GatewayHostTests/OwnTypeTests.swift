import Advertisements
import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Lines
import Readings
import SQLiteSink
import Serial
import Simulator
import Synchronization
import XCTest

@testable import GatewayHost
@testable import Platform

/// Plugins that read with a type which they declare themselves, wherever a gateway makes them.
final class OwnTypeTests: XCTestCase {
    private static let declaration = QuantityTypeDeclaration(
        "earClipTemperature", .discreteArithmetic, .degreeCelsius, plausible: 10...50)

    /// A profile, a protocol and a format, each with the type.
    private static let plugins = Plugins(
        profiles: [
            GATTProfileFactory(use: "earClip") { node throws(ConfigurationError) in
                EarClip(type: try node.quantityType(named: declaration.name))
            }
        ],
        serialProtocols: [
            LinesProtocol.factory,
            SerialProtocolFactory(use: "earClipCable") { node throws(ConfigurationError) in
                _ = try node.quantityType(named: declaration.name)
                throw node.error("is never made")
            },
        ],
        advertisements: [
            AdvertisementFormatFactory(use: "earClipRadio") {
                node, context throws(ConfigurationError) in
                XCTAssertNotNil(context.types.named(declaration.name))
                return EarClipRadio(type: try node.quantityType(named: declaration.name))
            }
        ],
        deviceSources: [SimulatorSource.factory(profiles:serialProtocols:)],
        sinks: [SQLiteSink.factory], types: [declaration])

    private func plan(_ configuration: String) throws -> (GatewayPlan, PartsMaker) {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(configuration.utf8), to: "pulsegate.json5")
        let environment = Environment(variables: [:])
        let file = try ConfigurationFile.load(
            option: path, environment: environment, types: Self.plugins.makeQuantityTypes())
        let maker = PartsMaker(
            plugins: Self.plugins, environment: environment, clock: ManualClock(),
            log: Logger(component: "test") { _ in })
        let directory = DataDirectory(path: folder.path)
        return (try GatewayPlan(file: file, folder: directory, plugins: Self.plugins), maker)
    }

    func testSimulation_makesEveryProfile() throws {
        let (plan, maker) = try plan("{}")
        for simulation in [GatewayHost.Simulation.store, .configuredSinks] {
            let parts = try maker.simulation(simulation, of: plan)
            XCTAssertEqual(parts.sources.map(\.name), ["strap", "foot"], "\(simulation)")
        }
    }

    func testSources_thatNameNoProfiles_makeEveryOne() throws {
        for source in [
            #"{ use: "simulator" }"#, #"{ use: "bluetooth", devices: "any" }"#,
            #"{ use: "advertisements", devices: "any" }"#,
            #"{ use: "bluetooth", devices: "any", profiles: ["earClip"] }"#,
            #"{ use: "advertisements", devices: "any", formats: ["earClipRadio"] }"#,
        ] {
            let (plan, maker) = try plan("{ sources: { a: \(source) } }")
            XCTAssertEqual(try maker.parts(of: plan).sources.map(\.name), ["a"], source)
        }
    }

    /// A plugin for a service that another one reads would be silent without a word.
    func testSecondProfileOfAService_isNoted() throws {
        let (plan, _) = try plan(#"{ sources: { a: { use: "bluetooth", devices: "any" } } }"#)
        var plugins = Self.plugins
        plugins.profiles.append(
            GATTProfileFactory(use: "other") { node throws(ConfigurationError) in
                EarClip(type: try node.quantityType(named: "bodyTemperature"), name: "other")
            })
        let messages = Messages()
        let assembly = Assembly(
            plugins: plugins, dataDirectory: plan.folder, environment: Environment(variables: [:]),
            clock: ManualClock(),
            log: Logger(component: "test") { record in
                messages.all.withLock { $0.append(record.message) }
            })
        let sources = try plan.makeSources(assembly)
        XCTAssertEqual(
            GatewayPlan.notes(of: sources),
            [
                "a: `other` gets no values of ff02, which `earClip` of the same service reads first; "
                    + "name the one to use in `profiles`"
            ])
        let count = messages.all.withLock { $0.count { $0.hasPrefix("two profiles read one") } }
        XCTAssertEqual(count, 1)
    }

    /// The types of the configuration are known, too.
    func testConfiguredType_isKnownInASimulation() throws {
        let (plan, maker) = try plan(
            #"{ types: { mine: { aggregationStyle: "discreteArithmetic", unit: "degC" } } }"#)
        let parts = try maker.simulation(.store, of: plan)
        XCTAssertEqual(parts.types.custom.map(\.name), ["earClipTemperature", "mine"])
    }
}

/// The messages of a log.
private final class Messages: Sendable {
    let all = Mutex<[String]>([])
}

private struct EarClip: GATTProfile {
    let type: QuantityType
    var name = "earClip"
    let service = BluetoothUUID(0xFF01)
    let subscriptions = [BluetoothUUID(0xFF02)]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding { throw .unknown }
}

private struct EarClipRadio: AdvertisementFormat {
    let type: QuantityType
    let name = "earClipRadio"
    let parts = [AdvertisementPart.serviceData(BluetoothUUID(0xFF01))]

    func makeDecoder(for address: BluetoothAddress) -> any AdvertisementDecoder { Decoder() }

    private struct Decoder: AdvertisementDecoder {
        func decode(
            _ value: [UInt8], of part: AdvertisementPart
        ) throws(ByteDecodingError) -> AdvertisementDecoding { throw .unknown }
    }
}
