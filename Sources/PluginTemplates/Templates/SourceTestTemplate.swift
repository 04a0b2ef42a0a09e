/// The tests of a source.
struct SourceTestTemplate {
    let plugin: NewPlugin

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
    }

    private var type: String { plugin.type }

    var tests: String {
        """
        import GatewayCore
        import GatewayTesting
        import HealthModel
        import Platform
        import Readings
        import XCTest

        @testable import \(plugin.name.module)

        final class \(plugin.name.module)Tests: XCTestCase {
            private func makeSource(
                _ path: String, clock: any GatewayClock = SystemClock()
            ) -> \(type) {
                let context = ComponentContext(
                    name: "skin", clock: clock, log: Logger(component: "test") { _ in },
                    dataDirectory: "/nowhere")
                return \(type)(
                    path: path, intervalSeconds: 10, context: context, files: SensorFiles())
            }

            func testContent_isATemperature() throws {
                let now = BootInstant(nanoseconds: 1)
                let content = \(type).content(of: Array("36600\\n".utf8), at: now)
                guard case .readings(let readings) = content else { return XCTFail("\\(content)") }
                let temperature = try Quantity(36.6, .degreeCelsius)
                XCTAssertEqual(
                    readings, [TimedReading(.instant(.bodyTemperature, temperature), at: now)])
            }

            func testContent_thatIsNoNumber_isInvalid() {
                for text in ["", "\\n", "36.6\\n", "36600 \\n", "99999999999\\n"] {
                    let content = \(type).content(
                        of: Array(text.utf8), at: BootInstant(nanoseconds: 1))
                    guard case .dropped(let reasons) = content else { return XCTFail(text) }
                    XCTAssertEqual(reasons, [.invalid: 1], text)
                }
            }

            private func make(_ settings: String) throws -> any Source {
                let context = ComponentContext(
                    name: "skin", clock: SystemClock(), log: Logger(component: "test") { _ in },
                    dataDirectory: "/nowhere")
                return try \(type).factory.make(
                    ConfigurationNode(json5: settings), context)
            }

            func testSource_keepsTheContract() async throws {
                let folder = try TemporaryFolder()
                let path = try folder.write(Array("36600\\n".utf8), to: "temperature")
                let findings = await SourceConformance.findings(
                    for: makeSource(path), devices: [path], types: [.bodyTemperature])
                XCTAssertEqual(findings, [])
            }

            func testMissingFile_isALinkErrorWithARemedy() async {
                do {
                    try await makeSource("/nowhere/temperature").run(into: RecordingInlet())
                    XCTFail("run returned")
                } catch let error as LinkError {
                    XCTAssertNotNil(error.remedy)
                } catch { XCTFail("\\(error)") }
            }

            /// The clock stands until the test moves it.
            func testRun_readsTheFileAgainAfterTheInterval() async throws {
                let folder = try TemporaryFolder()
                let path = try folder.write(Array("36600\\n".utf8), to: "temperature")
                let (clock, inlet) = (ManualClock(), RecordingInlet())
                let source = makeSource(path, clock: clock)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await source.run(into: inlet) }
                    await clock.waitForSleepers(1)
                    try folder.write(Array("36700\\n".utf8), to: "temperature")
                    clock.advance(seconds: 10)
                    var values: [Double] = []
                    for await report in inlet.reports {
                        guard case .readings(let readings) = report.content,
                            case .instant(_, let quantity, _)? = readings.first?.reading
                        else { continue }
                        values.append(quantity.value)
                        if values.count == 2 { break }
                    }
                    XCTAssertEqual(values, [36.6, 36.7])
                    group.cancelAll()
                    do { try await group.waitForAll() } catch is CancellationError {}
                }
            }

            func testValues_becomeSamplesInTheStore() async throws {
                let folder = try TemporaryFolder()
                let path = try folder.write(Array("36600\\n".utf8), to: "temperature")
                let gateway = try HarnessGateway { context in
                    let settings = "{ use: '\(plugin.name.use)', path: '\\(path)' }"
                    return try \(type).factory.make(
                        ConfigurationNode(json5: settings), context)
                }
                let samples = try await gateway.samples(of: .bodyTemperature)
                XCTAssertEqual(samples.map(\\.quantity.value), [36.6])
                try await gateway.stop()
            }

            func testFactory_readsItsSettingsStrictly() throws {
                let use = "use: '\(plugin.name.use)'"
                XCTAssertNoThrow(try make("{ \\(use), path: '/sys/value', every: '1m' }"))
                for wrong in ["path: 'value'", "path: '/sys/value', often: true", "every: '1m'"] {
                    XCTAssertThrowsError(try make("{ \\(use), \\(wrong) }"), wrong)
                }
            }
        }

        """
    }
}
