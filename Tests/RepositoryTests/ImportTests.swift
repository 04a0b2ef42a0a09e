import Foundation
import XCTest

/// Tests that imports go one way: from the command down to the lowest layer.
final class ImportTests: XCTestCase {
    /// The modules by layer, the lowest first; a module imports only from layers below its own.
    private static let layers: [[String]] = [
        ["Platform"],
        ["JSON", "CSV", "QRCode"],
        ["HealthModel"],
        ["HealthStatistics", "ByteDecoding", "Readings", "XML"],
        ["GatewayJournal", "HealthStore"],
        [
            "GatewayCore", "DBus", "HTTPClient", "HTTPServer", "SQLite", "StoreQueries",
            "HourSummaries",
        ],
        [
            "JournalLog", "SQLiteJournal", "SQLiteStore", "Workouts", "Bluetooth", "Serial",
            "Programs",
        ],
        [
            "Advertisements", "BluetoothSetup", "Cycling", "Peripheral", "Simulation",
            "AppleHealth", "WorkoutFiles",
        ],
        ["plugins"],
        ["WorkoutService", "Capture", "HostFiles"],
        ["GatewayHost", "Installation"],
        [
            "ArgumentValues", "Backup", "ControlSocket", "LiveFeed", "Metrics", "StoreRequests",
            "Terminal",
            "PluginTemplates", "ShellCompletions",
        ],
        ["WorkoutScreens", "PluginPlans"],
        ["RecordTables", "Reports", "CommandArguments"],
        ["DeviceScreens", "StatisticsScreens", "StatusScreens", "HealthTransfer"],
        ["CommandSupport", "Doctor"],
        ["WorkoutCommands"],
        ["PulsegateCommand", "PulsegateBuiltIn"],
        ["pulsegate"],
    ]

    /// The modules for tests and benchmarks; no module of the shipped command imports them.
    private static let tools = [
        "BluetoothTesting", "GatewayTesting", "HTTPTesting", "pulsegate-benchmarks",
    ]

    private static func layer(of module: String) -> Int? {
        layers.firstIndex { $0.contains(module) }
    }

    /// The plugins in Swift; a folder without `Sources` is a program, which is not built.
    private func plugins() throws -> [String] {
        try Repository.folders(in: "plugins").filter {
            try Repository.folders(in: "plugins/\($0)").contains("Sources")
        }
    }

    /// The modules and their files; all plugins count as one module here.
    private func modules() throws -> [(name: String, files: [Repository.SourceFile])] {
        var modules: [(name: String, files: [Repository.SourceFile])] = []
        for name in try Repository.folders(in: "Sources") where name != "CLibraries" {
            modules.append((name, try Repository.swiftFiles(in: "Sources/\(name)")))
        }
        for name in try plugins() {
            modules.append(("plugins", try Repository.swiftFiles(in: "plugins/\(name)/Sources")))
        }
        return modules
    }

    func testModules_allHaveALayer() throws {
        let known = Set(Self.layers.joined()).union(Self.tools)
        XCTAssertEqual(Set(try modules().map(\.name)).subtracting(known), [])
    }

    func testImports_goDownOnly() throws {
        let plugins = try plugins()
        for module in try modules() where !Self.tools.contains(module.name) {
            let own = try XCTUnwrap(Self.layer(of: module.name), module.name)
            for file in module.files {
                for imported in file.imports {
                    XCTAssertFalse(
                        Self.tools.contains(imported), "\(file.path) imports \(imported)")
                    let isPlugin = plugins.contains(imported)
                    guard let layer = Self.layer(of: isPlugin ? "plugins" : imported) else {
                        continue
                    }
                    XCTAssertLessThan(layer, own, "\(file.path) imports \(imported)")
                    XCTAssertTrue(
                        !isPlugin || module.name == "PulsegateBuiltIn",
                        "\(file.path) imports the plugin \(imported)")
                }
            }
        }
    }

    func testBuiltIn_isEveryPluginOfPackageSwift() throws {
        let list = try Repository.swiftFiles(in: "Sources/PulsegateBuiltIn").flatMap(\.imports)
        let manifest = try String(
            contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        for plugin in try plugins() {
            XCTAssertTrue(list.contains(plugin), "BuiltIn.swift does not import \(plugin)")
            XCTAssertTrue(manifest.contains("    (\"\(plugin)\", ["), "no line for \(plugin)")
        }
    }

    func testCModules_areImportedByOneRoomEach() throws {
        let cModules = Set(try Repository.folders(in: "Sources/CLibraries"))
        var importers: [String: Set<String>] = [:]
        for module in try modules() where !Self.tools.contains(module.name) {
            for file in module.files {
                for imported in file.imports where cModules.contains(imported) {
                    importers[imported, default: []].insert(module.name)
                }
            }
        }
        for (imported, modules) in importers {
            XCTAssertEqual(modules.count, 1, "\(imported) is imported by \(modules.sorted())")
        }
    }

    func testFoundation_isNotInTheGateway() throws {
        let foundation: Set = ["Foundation", "FoundationEssentials"]
        for module in try modules() where !Self.tools.contains(module.name) {
            for file in module.files {
                XCTAssertTrue(foundation.isDisjoint(with: file.imports), file.path)
            }
        }
    }
}
