/// The tests of a service.
struct ServiceTestTemplate {
    let plugin: NewPlugin

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
    }

    private var type: String { plugin.type }

    var tests: String {
        """
        import Foundation
        import GatewayCore
        import GatewayTesting
        import HealthModel
        import JSON
        import Platform
        import XCTest

        @testable import \(plugin.name.module)

        final class \(plugin.name.module)Tests: XCTestCase {
            private func heartRate(_ value: Double, of person: String = "ada") throws -> Record {
                let time = Instant(nanosecondsSince1970: 1_795_284_900_000_000_000)
                return .sample(
                    try QuantitySample(
                        id: RecordID(high: 1, low: value.bitPattern), type: .heartRate, start: time,
                        end: time, quantity: Quantity(value, .countPerMinute), person: person))
            }

            private static func makeService(_ path: String) -> \(type) {
                \(type)(person: "ada", file: ValueFile(path: path))
            }

            private static func text(of path: String) -> String? {
                try? String(contentsOfFile: path, encoding: .utf8)
            }

            func testNewestRate_isTheLastOneOfThePerson() throws {
                let service = Self.makeService("/nowhere")
                let batch = [
                    try heartRate(61), try heartRate(72.4), try heartRate(99, of: "bob"),
                    try heartRate(1e300),
                ]
                XCTAssertEqual(service.newestRate(in: batch), 72)
                XCTAssertNil(service.newestRate(in: []))
            }

            func testRun_showsEveryHeartRate() async throws {
                let folder = try TemporaryFolder()
                let path = folder.path("rate.txt")
                let harness = ServiceHarness(Self.makeService(path))
                for (value, text) in [(61.0, "61\\n"), (72, "72\\n")] {
                    try await harness.publish([heartRate(value)])
                    XCTAssertEqual(Self.text(of: path), text)
                }
                XCTAssertNil(harness.problem)
                try await harness.stop()
            }

            func testFileThatCannotBeWritten_isAProblemWithoutAValue() async throws {
                let harness = ServiceHarness(Self.makeService("/nowhere/rate.txt"))
                try await harness.publish([heartRate(61)])
                let problem = try XCTUnwrap(harness.problem)
                XCTAssertTrue(problem.hasPrefix("/nowhere/rate.txt.new: "), problem)
                XCTAssertFalse(problem.contains("61"), problem)
                try await harness.stop()
            }

            func testService_keepsTheContract() async throws {
                let folder = try TemporaryFolder()
                let path = folder.path("rate.txt")
                let findings = await ServiceConformance.findings(
                    showing: [try heartRate(72)], shown: { Self.text(of: path) == "72\\n" },
                    makeService: { Self.makeService(path) })
                XCTAssertEqual(findings, [])
            }

            func testService_whoseFileCannotBeWritten_keepsTheContract() async throws {
                let findings = await ServiceConformance.findingsWhenUnavailable(
                    showing: [try heartRate(72)], makeService: { Self.makeService("/nowhere/rate.txt") })
                XCTAssertEqual(findings, [])
            }

            func testFactory_readsItsSettingsStrictly() throws {
                let context = ComponentContext(
                    name: "display", clock: SystemClock(), log: Logger(component: "test") { _ in },
                    dataDirectory: "/nowhere")
                for (text, isValid) in [
                    ("{ person: 'ada', file: 'rate.txt' }", true), ("{ person: 'ada' }", true),
                    ("{ file: 'rate.txt' }", false), ("{ person: 'a b' }", false),
                ] {
                    let node = try ConfigurationNode(json5: text)
                    let settings = try node.object(keys: \(type).factory.keys)
                    let service = try? \(type).factory.make(settings, context)
                    XCTAssertEqual(service != nil, isValid, text)
                }
            }
        }

        """
    }
}
