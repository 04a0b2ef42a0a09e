import Foundation
import GatewayCore
import GatewayHost
import GatewayTesting
import HealthModel
import Platform
import PulsegateBuiltIn

@testable import Doctor

/// A machine for one test: a folder stands for its file system and its user's home.
struct Patient {
    let folder: TemporaryFolder
    var system: DoctorSystem
    var configurationOption: String?

    /// The identifier of an adopted strap.
    static let strap = "D0:11:22:33:44:55"

    /// Makes a machine without a bus, systemd or hardware.
    init(busAddress: String? = nil) throws {
        folder = try TemporaryFolder()
        let environment = Environment(variables: [
            "HOME": folder.path("home"), "PATH": "/usr/bin:/bin",
            "DBUS_SYSTEM_BUS_ADDRESS": busAddress ?? "unix:path=\(folder.path("no-bus"))",
        ])
        system = DoctorSystem(environment: environment, clock: SystemClock())
        system.root = try folder.makeFolder("root")
        system.isSynchronized = { true }
        system.run = { _ in nil }
        try folder.makeFolder("home")
        try folder.makeFolder("root/run/systemd/system")
    }

    var dataDirectory: String { folder.path("home/.local/share/pulsegate") }
    var configuration: String { folder.path("home/.config/pulsegate/pulsegate.json5") }

    /// Writes the configuration, which only its owner can read.
    func configure(_ text: String) throws {
        try folder.makeFolder("home/.config/pulsegate")
        try folder.write(Array(text.utf8), to: "home/.config/pulsegate/pulsegate.json5")
        chmod(configuration, 0o600)
    }

    /// Writes a file of the data directory, as the gateway does it.
    @discardableResult
    func store(_ text: String, as name: String) throws -> String {
        try makeDataDirectory()
        let path = try folder.write(
            Array(text.utf8), to: "home/.local/share/pulsegate/\(name)")
        chmod(path, 0o600)
        return path
    }

    func makeDataDirectory() throws {
        try folder.makeFolder("home/.local/share/pulsegate")
        chmod(dataDirectory, 0o700)
    }

    /// Adopts a strap.
    func adopt(since time: String = "2026-11-21T18:15:00.000Z") throws {
        try store(
            #"{"v":1,"devices":{"\#(Self.strap)":{"since":"\#(time)"}}}"#, as: "devices.json")
    }

    /// Writes a file of the machine: `/sys/…`.
    func write(_ text: String, to path: String) throws {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        try folder.makeFolder("root/\(parent)")
        try folder.write(Array(text.utf8), to: "root\(path)")
    }

    var doctor: Doctor {
        Doctor(system, plugins: builtIn, configuration: configurationOption)
    }

    /// Examines the machine.
    func report() async throws -> DoctorReport { try await doctor.examine() }

    /// The kinds of what is found.
    func kinds() async throws -> [Finding.Kind] { try await report().findings.map(\.kind) }

    /// What is found of a kind.
    func finding(_ kind: Finding.Kind) async throws -> Finding? {
        try await report().findings.first { $0.kind == kind }
    }
}
