import GatewayCore
import HealthModel
import JSON
import PluginPlans
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

    func testText_withoutADescription_hasNameAndKind() {
        let entry = PluginEntry(kind: .sink, use: "void", about: nil)
        XCTAssertTrue(entry.text.hasPrefix("void: sink\n\nsettings\n  types "), entry.text)
        for setting in SinkOptions.settings {
            XCTAssertTrue(entry.text.contains("\n  \(setting.name) "), setting.name)
            XCTAssertTrue(entry.text.contains(setting.meaning), setting.name)
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
        XCTAssertTrue(entry.text.contains(shown), entry.text)
        XCTAssertTrue(entry.value.json.contains(#""types":["clipWarmth"]"#), entry.value.json)
        let other = PluginEntry.all(of: plugins(description(file: "Other/Clip.swift")))
        XCTAssertFalse(other.contains { $0.text.contains("types that it declares") })
    }

    func testAll_hasTheTypesOfPlugins() throws {
        let declaration = QuantityTypeDeclaration(
            "skinTemperature", .discreteArithmetic, .degreeCelsius,
            display: try HealthModel.Unit(parsing: "degF"))
        let plugins = Plugins(types: [declaration])
        let entry = try XCTUnwrap(
            PluginEntry.all(of: plugins).first { $0.kind == .quantityType })
        XCTAssertEqual(entry.use, "skinTemperature")
        XCTAssertTrue(
            entry.text.contains("\ndiscreteArithmetic, in degC, shown in degF.\n"), entry.text)
        let types = try plugins.makeQuantityTypes()
        XCTAssertEqual(types.custom, [try declaration.makeType()])
        let sample = ConfigurationNode(
            path: "", value: try JSONValue(json5: XCTUnwrap(entry.about?.sample)),
            types: types)
        XCTAssertNoThrow(try GatewayConfiguration(sample))
    }
}
