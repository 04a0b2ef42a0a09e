import GatewayHost
import Glibc
import PluginTemplates

/// A package that has a list of plugins: a clone of Pulsegate, or a package of `pulsegate new`.
struct PluginTree {
    /// The maximum number of folders in which Package.swift is searched for, from a directory upwards.
    private static let depthLimit = 64

    /// The folder of Package.swift.
    let root: String
    let home: PluginHome

    /// Finds the package that a folder belongs to; nil when there is none.
    static func find(from folder: String) throws(HostError) -> PluginTree? {
        var folder = folder
        for _ in 0..<depthLimit {
            if let home = try home(of: folder) { return PluginTree(root: folder, home: home) }
            guard folder != "/" else { return nil }
            folder = TextFile.folder(of: folder)
        }
        return nil
    }

    /// The names that a new module of the package cannot have.
    func modules() throws(HostError) -> [String] {
        try Self.modules(in: root)
    }

    /// The modules in a package: those of its folders, with their tests.
    static func modules(in root: String) throws(HostError) -> [String] {
        let sources = try Folder.names(in: "\(root)/Sources") + Folder.names(in: "\(root)/plugins")
        let libraries = try Folder.names(in: "\(root)/Sources/CLibraries")
        let tests = try Folder.names(in: "\(root)/Tests")
        return sources + libraries + sources.map { "\($0)Tests" } + tests
    }

    /// Whether a folder is a clone of Pulsegate or a package with a list of plugins.
    private static func home(of folder: String) throws(HostError) -> PluginHome? {
        guard let manifest = try Folder.text(of: "\(folder)/Package.swift") else { return nil }
        let lines = manifest.split(separator: "\n")
        if lines.contains(where: { $0 == PluginHome.cloneTable }) { return .clone }
        guard lines.contains(where: { $0 == PluginHome.packageTable }) else { return nil }
        // The command is the room with a main.swift.
        for name in try Folder.names(in: "\(folder)/Sources") {
            if access("\(folder)/Sources/\(name)/main.swift", F_OK) == 0 {
                return .package(command: name)
            }
        }
        return nil
    }
}
