/// The tests of a sink.
struct SinkTestTemplate {
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
            private func record(_ number: Int64) throws -> Record {
                let time = Instant(nanosecondsSince1970: number * 1_000_000_000)
                return .sample(
                    try QuantitySample(
                        id: RecordID(high: 1, low: UInt64(number)), type: .heartRate, start: time,
                        end: time, quantity: Quantity(72, .countPerMinute)))
            }

            /// The names of the files, without those that begin with a dot.
            private static func names(in folder: String) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                    !$0.hasPrefix(".")
                }.sorted()
            }

            func testWrite_aFileForEachRecord_onlyOnce() async throws {
                let folder = try TemporaryFolder()
                let path = folder.path("records")
                let sink = \(type)(folder: path, durability: .powerLoss)
                let records = [try record(1), try record(2)]
                try await sink.write(records)
                try await sink.write(records)
                XCTAssertEqual(try Self.names(in: path), records.map { "\\($0.id).json" })
                let text = try String(
                    contentsOfFile: "\\(path)/\\(records[0].id).json", encoding: .utf8)
                var decoder = RecordDecoder()
                XCTAssertEqual(try decoder.decode(Array(text.utf8.dropLast())), records[0])
            }

            func testSink_keepsTheContract() async throws {
                let folder = try TemporaryFolder()
                let path = try folder.makeFolder("records")
                let findings = await SinkConformance.findings(
                    stored: { try Self.names(in: path).count },
                    makeSink: { \(type)(folder: path) })
                XCTAssertEqual(findings, [])
            }

            func testSink_whoseFolderIsAFile_keepsTheContract() async throws {
                let folder = try TemporaryFolder()
                let path = try folder.write([], to: "records")
                let findings = await SinkConformance.findingsWhenUnavailable {
                    \(type)(folder: path)
                }
                XCTAssertEqual(findings, [])
            }

            func testFactory_readsItsSettingsStrictly() throws {
                let context = ComponentContext(
                    name: "files", clock: SystemClock(), log: Logger(component: "test") { _ in },
                    dataDirectory: "/nowhere")
                for (folder, isValid) in [(JSONValue.string("records"), true), (.number(1), false)] {
                    let node = ConfigurationNode(
                        path: "sinks.files", value: .object(["folder": folder]))
                    let settings = try node.object(keys: \(type).factory.keys)
                    let sink = try? \(type).factory.make(settings, context)
                    XCTAssertEqual(sink != nil, isValid)
                }
            }
        }

        """
    }
}
