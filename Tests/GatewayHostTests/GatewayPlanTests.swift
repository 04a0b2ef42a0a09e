import GatewayCore
import GatewayTesting
import XCTest

@testable import GatewayHost
@testable import HealthModel
@testable import JSON
@testable import Platform

/// Tests of the sources made from the configuration and the adopted devices.
final class GatewayPlanTests: XCTestCase {
    private func plan(_ configuration: String, adopted: String...) throws -> GatewayPlan {
        try plan(configuration, adopted: adopted)
    }

    private func plan(_ configuration: String, adopted: [String]) throws -> GatewayPlan {
        let folder = try TemporaryFolder()
        let devices = adopted.map { entry in
            entry.last == "}"
                ? String(entry.dropLast()) + #","since":"2026-11-21T18:15:00Z"}"#
                : #""\#(entry)":{"since":"2026-11-21T18:15:00Z"}"#
        }
        let text = #"{"v":1,"devices":{\#(devices.joined(separator: ","))}}"#
        try folder.write(Array(text.utf8), to: DataFiles.adopted)
        let path = try folder.write(Array(configuration.utf8), to: "pulsegate.json5")
        let file = try ConfigurationFile.load(
            option: path, environment: Environment(variables: [:]), types: .standard)
        return try GatewayPlan(
            file: file, folder: DataDirectory(path: folder.path), plugins: Plugins())
    }

    private func sources(of plan: GatewayPlan) -> [String] {
        (plan.configuration.sources ?? []).map { "\($0.name): \($0.settings.value.json)" }
    }

    private static let strap = "D0:11:22:33:44:55"
    private static let other = "D0:00:00:00:00:00"
    private static let classic = #""00:07:80:AA:BB:CC":{"protocol":"hxm"}"#
    private static let port =
        #""/dev/ttyUSB0":{"protocol":{"use":"lines","preset":"steps"}}"#

    func testSources_ofAdoptedDevices() throws {
        let plan = try plan("{}", adopted: Self.strap, Self.other, Self.classic, Self.port)
        XCTAssertEqual(
            sources(of: plan),
            [
                #"bluetooth: {"use":"bluetooth"}"#,
                #"ttyUSB0: {"port":{"path":"/dev/ttyUSB0"},"#
                    + #""protocol":{"preset":"steps","use":"lines"},"use":"serial"}"#,
                #"00-07-80-AA-BB-CC: {"address":"00:07:80:AA:BB:CC","channel":1,"#
                    + #""protocol":"hxm","use":"rfcomm"}"#,
            ])
        XCTAssertEqual(plan.devices, ["/dev/ttyUSB0", Self.other, Self.strap])
        XCTAssertEqual(plan.notes, [])
    }

    func testSources_withoutAdoptedDevices_areNone() throws {
        XCTAssertEqual(try sources(of: plan("{}")), [])
    }

    func testSources_ofADeviceThatTheConfigurationNames_areTheSame() throws {
        let plan = try plan(#"{ devices: { "d0:11:22:33:44:55": { name: "strap" } } }"#)
        XCTAssertEqual(sources(of: plan), [#"bluetooth: {"use":"bluetooth"}"#])
        XCTAssertEqual(plan.devices, ["d0:11:22:33:44:55"])
    }

    func testSources_ofPortsWithTheSameName_haveUniqueNames() throws {
        let port = #"{"protocol":"hxm"}"#
        let plan = try plan(
            "{}", adopted: #""/dev/a/x":\#(port)"#, #""/dev/b/x":\#(port)"#,
            #""/dev/c/x":\#(port)"#,
            #""/dev/pts/3":\#(port)"#, #""/dev/usb-A.B:1":\#(port)"#,
            #""/dev/\#(String(repeating: "y", count: 100))":\#(port)"#)
        let names = (plan.configuration.sources ?? []).map(\.name)
        XCTAssertEqual(
            names, ["x", "x-2", "x-3", "pts-3", "usb-A-B-1", String(repeating: "y", count: 59)])
    }

    func testSources_ofTheConfiguration_areTheOnlyOnes() throws {
        let plan = try plan(
            #"{ sources: { foot: { use: "serial", port: { path: "/dev/x" }, protocol: "hxm" } } }"#,
            adopted: Self.strap, Self.classic, Self.port, #""/dev/x":{"name":"foot"}"#)
        XCTAssertEqual(plan.configuration.sources?.map(\.name), ["foot"])
        XCTAssertEqual(plan.notes.count, 3)
        XCTAssertTrue(plan.notes[0].hasPrefix("/dev/ttyUSB0 is adopted, but no source in "))
        XCTAssertTrue(plan.notes[0].contains(#"{ use: "serial", port: { path: "/dev/ttyUSB0" }"#))
        XCTAssertTrue(plan.notes[1].contains(#"{ use: "rfcomm", address: "00:07:80:AA:BB:CC""#))
        XCTAssertTrue(plan.notes[2].contains(#"{ use: "bluetooth" }"#))
    }

    func testNotes_onADeviceThatASourceReads_areNone() throws {
        let sources = [
            #"{ a: "bluetooth" }"#, #"{ a: { use: "bluetooth", devices: "any" } }"#,
            #"{ a: { use: "bluetooth", devices: ["d0:11:22:33:44:55"] } }"#,
            #"{ a: { use: "bluetooth", deny: ["D0:00:00:00:00:00"] } }"#,
        ]
        for text in sources {
            XCTAssertEqual(try plan("{ sources: \(text) }", adopted: Self.strap).notes, [], text)
        }
        for devices in ["", #", devices: "any""#] {
            let denied = try plan(
                """
                { sources: { a: { use: "bluetooth"\(devices), deny: ["d0:11:22:33:44:55"] } } }
                """, adopted: Self.strap)
            XCTAssertEqual(denied.notes.count, 1)
        }
        let stream = try plan(
            #"{ sources: { a: { use: "rfcomm", address: "00:07:80:aa:bb:cc" } } }"#,
            adopted: Self.classic)
        XCTAssertEqual(stream.notes, [])
    }

    func testNotes_onASourceWhoseDevicesAreAllDenied() throws {
        let deny = #"deny: ["d0:11:22:33:44:55"]"#
        for use in ["bluetooth", "advertisements"] {
            let denied = try plan(
                "{ sources: { a: { use: \"\(use)\", devices: [\"\(Self.strap)\"], \(deny) } } }")
            XCTAssertEqual(
                denied.notes, ["sources.a reads nothing: all of its `devices` are in its `deny`"])
        }
        for settings in [
            #"use: "bluetooth", devices: ["D0:11:22:33:44:55", "D0:00:00:00:00:00"], \#(deny)"#,
            #"use: "bluetooth", devices: "any", \#(deny)"#, #"use: "bluetooth", \#(deny)"#,
            #"use: "exec", command: ["true"]"#,
        ] {
            XCTAssertEqual(try plan("{ sources: { a: { \(settings) } } }").notes, [], settings)
        }
    }

    func testDevices_thatASourceNames_areReadByNoOther() throws {
        let plan = try plan(
            """
            { sources: { a: "bluetooth", b: { use: "bluetooth", devices: ["d0:00:00:00:00:00"] },
                         c: { use: "rfcomm", address: "00:07:80:aa:bb:cc", protocol: "hxm" } },
              devices: { "00:07:80:AA:BB:CC": { name: "old strap" } } }
            """, adopted: Self.strap, Self.other)
        XCTAssertEqual(plan.devices, [Self.strap])
        let texts = plan.claims.map { $0.claim.text(adopted: plan.devices) }
        XCTAssertEqual(texts, ["\(Self.strap) (adopted)", Self.other, "00:07:80:AA:BB:CC"])
    }

    func testClaims_text() throws {
        let plan = try plan(
            """
            { sources: { a: "bluetooth",
                         b: { use: "bluetooth", devices: "any", deny: ["d0:00:00:00:00:00"] },
                         c: { use: "serial", port: { vendor: "10c4" } },
                         d: { use: "exec", command: ["x"] },
                         e: { use: "serial", port: 7 } } }
            """)
        let texts = plan.claims.map { $0.claim.text(adopted: plan.devices) }
        XCTAssertEqual(
            texts,
            [
                "nothing: no Bluetooth device is adopted",
                "every Bluetooth device that matches a profile, except \(Self.other)",
                #"the port with {"vendor":"10c4"}"#,
                nil, nil,
            ])
    }

    func testMakeSources_passesAdoptedDevicesToTheSource() throws {
        let plan = try plan("{}", adopted: Self.strap, Self.classic)
        let factories = ["bluetooth", "rfcomm"].map { use in
            SourceFactory(use: use) { _, context in AdoptingSource(adopted: context.adopted) }
        }
        let assembly = Assembly(
            plugins: Plugins(sources: factories), dataDirectory: plan.folder,
            environment: Environment(variables: [:]), clock: ManualClock(),
            log: Logger(component: "test") { _ in }, adopted: plan.devices)
        let sources = try plan.makeSources(assembly)
        XCTAssertEqual(sources.map(\.name), ["bluetooth", "00-07-80-AA-BB-CC"])
        XCTAssertEqual((sources[0].source as? AdoptingSource)?.adopted, [Self.strap])
    }

    func testMakeSources_whenAnAdoptedDeviceHasNoProtocol_namesTheFile() throws {
        let plan = try plan("{}", adopted: "/dev/ttyUSB0")
        let assembly = Assembly(
            plugins: Plugins(), dataDirectory: plan.folder,
            environment: Environment(variables: [:]),
            clock: ManualClock(),
            log: Logger(component: "test") { _ in }, adopted: plan.devices)
        XCTAssertThrowsError(try plan.makeSources(assembly)) { error in
            let failure = error as? HostError
            XCTAssertEqual(failure?.status, .configuration)
            let words = "/devices.json: devices./dev/ttyUSB0: the key `protocol` is missing"
            XCTAssertTrue(failure?.message.contains(words) ?? false, failure?.message ?? "")
        }
    }

    func testSimulation_ignoresAdoptedDevices() throws {
        let plan = try plan("{}", adopted: Self.port)
        let simulation = GatewayPlan(
            simulating: plan.file, folder: plan.folder, plugins: Plugins())
        XCTAssertEqual(simulation.configuration.sources?.count, 0)
        XCTAssertEqual(simulation.devices, [])
    }
}

/// A source that shows its settings.
private struct AdoptingSource: Source {
    let adopted: [String]

    func run(into inlet: any ReadingInlet) async throws {}
}
