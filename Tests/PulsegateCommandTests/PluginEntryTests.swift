import GatewayCore
import HealthModel
import JSON
import PluginPlans
import Terminal
import XCTest

@testable import GatewayHost
@testable import PulsegateCommand

/// The plugins of a build, as shown by `plugins`.
final class PluginEntryTests: XCTestCase {
    func testAll_ofTwoWithTheSameName_hasTheOneInUse() {
        let about = PluginDescription(summary: "Mine.", sample: "")
        let own = SourceFactory(use: "serial", about: about) { node, _ throws(ConfigurationError) in
            throw node.error("never made")
        }
        let serial = PluginEntry.all(of: Plugins(sources: [own])).filter { $0.use == "serial" }
        XCTAssertEqual(serial.map(\.about), [about])
    }

    func testTexts_inANarrowTerminal_areWrapped() {
        let about = PluginDescription(summary: "Reads what a clip has measured today.", sample: "")
        let entry = PluginEntry(kind: .sink, use: "clip", about: about)
        let width = TerminalWidth(columns: 40, characters: .unicode)
        XCTAssertEqual(
            PluginsCommand.overview([entry], within: width),
            """
            sinks
              clip   Reads what a clip has measured
                     today.

            """)
        let text = entry.text(within: width)
        for line in text.split(separator: "\n") { XCTAssertLessThanOrEqual(line.count, 40) }
        XCTAssertTrue(
            text.contains(
                """
                  buffer.maxSize
                      maximum size of the records as
                      lines of JSON, from 256 KiB
                      (size); default: 1 GiB
                """), text)
        XCTAssertTrue(
            entry.text(within: nil).contains("of JSON, from 256 KiB (size); default: 1 GiB\n"))
    }

    func testText_withoutADescription_hasNameAndKind() {
        let entry = PluginEntry(kind: .sink, use: "void", about: nil)
        let text = entry.text(within: nil)
        XCTAssertTrue(text.hasPrefix("void: sink\n\nsettings\n  types "), text)
        for setting in SinkOptions.settings {
            XCTAssertTrue(text.contains("\n  \(setting.name) "), setting.name)
            XCTAssertTrue(text.contains(setting.meaning), setting.name)
        }
        let types =
            #"{"kind":"sink","settings":[{"default":"all","kind":"list of strings","#
            + #""meaning":"types of the records to deliver","name":"types"},"#
        XCTAssertTrue(entry.value.json.hasPrefix(types), "\(entry.value.json)")
    }

    func testText_ofAPluginThatDeclaresATypeInItsModule_showsTheType() throws {
        func description(file: String = #fileID) -> PluginDescription {
            PluginDescription(summary: "Mine.", sample: "{}\n", file: file)
        }
        func plugins(_ about: PluginDescription) -> Plugins {
            Plugins(
                sources: [
                    SourceFactory(use: "clip", about: about) { node, _ throws(ConfigurationError) in
                        throw node.error("never made")
                    }
                ],
                types: [QuantityTypeDeclaration("clipWarmth", .discreteArithmetic, .degreeCelsius)])
        }
        let all = PluginEntry.all(of: plugins(description()))
        let entry = try XCTUnwrap(all.first { $0.use == "clip" })
        let shown = "\ntypes that it declares\n  clipWarmth   discreteArithmetic, in degC\n"
        XCTAssertTrue(entry.text(within: nil).contains(shown), entry.text(within: nil))
        XCTAssertTrue(entry.value.json.contains(#""types":["clipWarmth"]"#), entry.value.json)
        let other = PluginEntry.all(of: plugins(description(file: "Other/Clip.swift")))
        XCTAssertFalse(other.contains { $0.text(within: nil).contains("types that it declares") })
    }

    func testAll_hasTheTypesOfPlugins() throws {
        let declaration = QuantityTypeDeclaration(
            "skinTemperature", .discreteArithmetic, .degreeCelsius,
            display: try HealthModel.Unit(parsing: "degF"))
        let plugins = Plugins(types: [declaration])
        let entry = try XCTUnwrap(
            PluginEntry.all(of: plugins).first { $0.kind == .quantityType })
        XCTAssertEqual(entry.use, "skinTemperature")
        let text = entry.text(within: nil)
        XCTAssertTrue(text.contains("\ndiscreteArithmetic, in degC, shown in degF.\n"), text)
        let types = try plugins.makeQuantityTypes()
        XCTAssertEqual(types.custom, [try declaration.makeType()])
        let sample = ConfigurationNode(
            path: "", value: try JSONValue(json5: XCTUnwrap(entry.about?.sample)),
            types: types)
        XCTAssertNoThrow(try GatewayConfiguration(sample))
    }
}
