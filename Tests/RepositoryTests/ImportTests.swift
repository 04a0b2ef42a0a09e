import XCTest

/// Imports go one way: from the command down to the floor.
final class ImportTests: XCTestCase {
    /// The rooms, floor by floor; a room imports only from floors below its own.
    private static let floors: [[String]] = [
        ["Platform"],
        ["JSON"],
        ["HealthModel"],
        ["HealthStatistics", "ByteDecoding"],
        ["GatewayCore", "DBus", "HTTPClient", "SQLite"],
        ["SQLiteJournal", "HealthStore", "Workouts", "Bluetooth", "Serial"],
        ["plugins"],
        ["WorkoutService", "Simulation"],
        ["GatewayHost"],
        ["ControlSocket", "Terminal"],
        ["WorkoutScreens"],
        ["PulsegateCommand"],
        ["pulsegate"],
    ]

    /// What tests and benchmarks are made with; nothing that is shipped in the command imports it.
    private static let tools = ["GatewayTesting", "pulsegate-benchmarks"]

    private static func floor(of room: String) -> Int? {
        floors.firstIndex { $0.contains(room) }
    }

    /// A room and its files; all plugins are one room here.
    private func rooms() throws -> [(name: String, files: [Repository.SourceFile])] {
        var rooms: [(name: String, files: [Repository.SourceFile])] = []
        for name in try Repository.folders(in: "Sources") where name != "CLibraries" {
            rooms.append((name, try Repository.swiftFiles(in: "Sources/\(name)")))
        }
        for name in try Repository.folders(in: "plugins") {
            rooms.append(("plugins", try Repository.swiftFiles(in: "plugins/\(name)/Sources")))
        }
        return rooms
    }

    func testRooms_allHaveAFloor() throws {
        let known = Set(Self.floors.joined()).union(Self.tools)
        XCTAssertEqual(Set(try rooms().map(\.name)).subtracting(known), [])
    }

    func testImports_goDownOnly() throws {
        let plugins = try Repository.folders(in: "plugins")
        for room in try rooms() where !Self.tools.contains(room.name) {
            let own = try XCTUnwrap(Self.floor(of: room.name), room.name)
            for file in room.files {
                for module in file.imports {
                    XCTAssertFalse(
                        Self.tools.contains(module), "\(file.path) imports \(module)")
                    let isPlugin = plugins.contains(module)
                    guard let floor = Self.floor(of: isPlugin ? "plugins" : module) else {
                        continue
                    }
                    XCTAssertLessThan(floor, own, "\(file.path) imports \(module)")
                    XCTAssertTrue(
                        !isPlugin || room.name == "pulsegate",
                        "\(file.path) imports the plugin \(module)")
                }
            }
        }
    }

    func testCModules_areImportedByOneRoomEach() throws {
        let modules = Set(try Repository.folders(in: "Sources/CLibraries"))
        var importers: [String: Set<String>] = [:]
        for room in try rooms() where !Self.tools.contains(room.name) {
            for file in room.files {
                for module in file.imports where modules.contains(module) {
                    importers[module, default: []].insert(room.name)
                }
            }
        }
        for (module, rooms) in importers {
            XCTAssertEqual(rooms.count, 1, "\(module) is imported by \(rooms.sorted())")
        }
    }

    func testFoundation_isNotInTheGateway() throws {
        let foundation: Set = ["Foundation", "FoundationEssentials"]
        for room in try rooms() where !Self.tools.contains(room.name) {
            for file in room.files {
                XCTAssertTrue(foundation.isDisjoint(with: file.imports), file.path)
            }
        }
    }
}
