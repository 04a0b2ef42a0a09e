import GatewayHost
import GatewayTesting
import HealthModel

@testable import Platform

/// The files of a user, in a temporary folder.
struct TestHome {
    let folder: TemporaryFolder
    let environment: Environment

    init() throws {
        folder = try TemporaryFolder()
        environment = Environment(variables: [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("config"),
            "XDG_DATA_HOME": folder.path("data"),
        ])
    }

    var data: DataDirectory { DataDirectory(path: folder.path("data/pulsegate")) }
    var store: String { data.resolve("health.sqlite") }

    func configuration() throws -> ConfigurationFile {
        try ConfigurationFile.load(option: nil, environment: environment, types: .standard)
    }

    /// Writes a file, and makes its folders.
    func write(_ name: String, _ text: String) throws {
        let path = folder.path(name)
        try DataDirectory(path: TextFile.folder(of: path)).create()
        try OutputFile.write(Array(text.utf8), to: path)
    }
}
