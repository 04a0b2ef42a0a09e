import XCTest

@testable import PluginTemplates

final class PluginNameTests: XCTestCase {
    func testNames_followFromTheModule() throws {
        for (text, kind, type, use, program) in [
            ("StepClip", PluginKind.serialAdapter, "StepClipProtocol", "stepClip", "step_clip"),
            ("HxM", .serialAdapter, "HxMProtocol", "hxM", "hx_m"),
            ("BLEScale", .bluetoothAdapter, "BLEScaleProfile", "bleScale", "ble_scale"),
            ("Oximeter2", .bluetoothAdapter, "Oximeter2Profile", "oximeter2", "oximeter2"),
            ("MQTT", .sink, "MQTTSink", "mqtt", "mqtt"),
            ("CSVSink", .sink, "CSVSink", "csv", "csv"),
            ("UDPSource", .source, "UDPSource", "udp", "udp"),
            ("ScaleProtocol", .serialAdapter, "ScaleProtocol", "scale", "scale"),
        ] {
            let name = try PluginName(text, kind: kind)
            XCTAssertEqual(name.module, text)
            XCTAssertEqual(name.type(kind), type)
            XCTAssertEqual(name.use, use)
            XCTAssertEqual(name.snakeCase, program)
        }
    }

    func testName_thatIsNoTypeName_isRefusedWithTheNearest() {
        for (text, expected) in [
            ("stepClip", "did you mean `StepClip`?"), ("step-clip", "did you mean `StepClip`?"),
            ("step clip", "did you mean `StepClip`?"), ("", "such as StepClip"),
            ("1Step", "such as StepClip"), ("Schritt_Zähler", "did you mean `SchrittZHler`?"),
            ("../Step", "did you mean `Step`?"), ("Step\n", "did you mean `Step`?"),
            (String(repeating: "A", count: 25), "such as StepClip"),
        ] {
            XCTAssertThrowsError(try PluginName(text, kind: .sink), text) {
                XCTAssertTrue("\($0)".contains(expected), "\($0)")
                XCTAssertTrue("\($0)".contains("at most 24 letters and digits"), "\($0)")
            }
        }
        XCTAssertNoThrow(try PluginName(String(repeating: "A", count: 24), kind: .sink))
    }

    func testName_ofATypeOfPulsegate_isRefused() {
        for (text, kind, type) in [
            ("Serial", PluginKind.serialAdapter, "SerialProtocol"),
            ("Device", .serialAdapter, "DeviceAdapter"), ("GATT", .bluetoothAdapter, "GATTProfile"),
            ("Line", .sink, "LineSink"), ("ExecSource", .source, "ExecSource"),
        ] {
            XCTAssertThrowsError(try PluginName(text, kind: kind), text) {
                XCTAssertTrue("\($0)".contains("Pulsegate has a type `\(type)`"), "\($0)")
            }
        }
        XCTAssertNoThrow(try PluginName("Device", kind: .sink))
    }

    func testName_ofATypeOfSwiftOrARole_isRefused() {
        for (text, kind, words) in [
            ("String", PluginKind.sink, "Swift has a type `String`"),
            ("String", .serialAdapter, "Swift has a type `String`"),
            ("Data", .sink, "Swift has a type `Data`"), ("Error", .source, "a type `Error`"),
            ("Source", .sink, "Pulsegate has a type `Source`"),
            ("Sink", .source, "Pulsegate has a type `Sink`"),
            ("DispatchSource", .source, "Swift has a type `DispatchSource`"),
        ] {
            XCTAssertThrowsError(try PluginName(text, kind: kind), text) {
                XCTAssertTrue("\($0)".contains(words), "\($0)")
            }
        }
        XCTAssertNoThrow(try PluginName("StringGauge", kind: .sink))
    }

    func testName_ofASystemModule_orWithoutAStem_isRefused() {
        for text in ["Foundation", "Swift", "Glibc", "XCTest", "PulsegateKit", "Sink"] {
            XCTAssertThrowsError(try PluginName(text, kind: .sink), text)
        }
    }

    func testCheck_findsModulesTestsAndPlugins() throws {
        let name = try PluginName("StepClip", kind: .serialAdapter)
        XCTAssertNoThrow(try name.check(modules: ["Lines", "StepClips"], uses: ["lines", "step"]))
        for module in ["StepClip", "stepclip", "STEPCLIP", "StepClipTests"] {
            XCTAssertThrowsError(try name.check(modules: ["Lines", module], uses: [])) {
                XCTAssertTrue("\($0)".contains("the package has `\(module)` already"), "\($0)")
            }
        }
        XCTAssertThrowsError(try name.check(modules: [], uses: ["lines", "stepclip"])) {
            XCTAssertTrue("\($0)".contains("`stepclip` is built in already"), "\($0)")
        }
    }

    func testPackageName_thatIsNoTarget_isRefused() {
        for name in ["", "pulsegate", "Tests", "my gate", "1gate", "my.gate", "…"] {
            XCTAssertThrowsError(try PackageTemplate(command: name, clone: "..")) {
                XCTAssertTrue("\($0)".hasPrefix("`\(name)` cannot be"), "\($0)")
            }
        }
        XCTAssertNoThrow(try PackageTemplate(command: "my-gate_2", clone: ".."))
    }
}
