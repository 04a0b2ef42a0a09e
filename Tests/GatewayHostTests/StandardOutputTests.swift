import GatewayCore
import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayHost
@testable import Platform

/// Which sinks and services write to standard output is said by their factories.
final class StandardOutputTests: XCTestCase {
    private struct Printer: Service, Sink {
        func run(_ gateway: ServiceAccess) async throws {}
        func write(_ batch: [Record]) async throws {}
    }

    private static let plugins = Plugins(
        sinks: [
            SinkFactory(use: "print", keys: [], usesStandardOutput: true) { _, _ in Printer() },
            SinkFactory(use: "file", keys: []) { _, _ in Printer() },
        ],
        services: [
            ServiceFactory(use: "printer", keys: [], usesStandardOutput: true) {
                _, _ in Printer()
            },
            ServiceFactory(use: "lamp", keys: []) { _, _ in Printer() },
        ])

    private func plan(_ configuration: String) throws -> GatewayPlan {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(configuration.utf8), to: "pulsegate.json5")
        let file = try ConfigurationFile.load(
            option: path, environment: Environment(variables: [:]), types: .standard)
        return try GatewayPlan(
            file: file, folder: DataDirectory(path: folder.path), plugins: Self.plugins)
    }

    func testPlan_knowsWhoPrints() throws {
        for (configuration, isUsed) in [
            ("{}", false),
            ("{ sinks: { a: 'file' }, services: { b: 'lamp' } }", false),
            ("{ sinks: { a: 'file', b: 'print' } }", true),
            ("{ sinks: { a: 'file' }, services: { b: 'lamp', c: 'printer' } }", true),
            // Not among the plugins.
            ("{ sinks: { a: 'stdout' } }", false),
        ] {
            XCTAssertEqual(try plan(configuration).usesStandardOutput, isUsed, configuration)
        }
    }

    func testSinkThatPrints_isKnownByItsName() throws {
        let plan = try plan("{ sinks: { a: 'file', b: 'print' }, services: { c: 'printer' } }")
        XCTAssertTrue(plan.usesStandardOutput("b"))
        for name in ["a", "c", "print"] { XCTAssertFalse(plan.usesStandardOutput(name), name) }
    }
}
