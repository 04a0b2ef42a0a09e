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

    /// The absolute path of an existing folder.
    static func folder(at path: String) throws(HostError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw .system("use", path, errno: errno)
        }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw HostError(.failure, "cannot use \(path): it is not a folder")
        }
        return String(cString: resolved)
    }

    /// The names that a new module of the package cannot have.
    func modules() throws(HostError) -> [String] {
        try Self.modules(in: root)
    }

    /// The modules in a package: those of its folders, with their tests.
    static func modules(in root: String) throws(HostError) -> [String] {
        let sources = try names(in: "\(root)/Sources") + names(in: "\(root)/plugins")
        let libraries = try names(in: "\(root)/Sources/CLibraries")
        return sources + libraries + sources.map { "\($0)Tests" } + (try names(in: "\(root)/Tests"))
    }

    /// Whether a folder is a clone of Pulsegate or a package with a list of plugins.
    private static func home(of folder: String) throws(HostError) -> PluginHome? {
        guard let manifest = try text(of: "\(folder)/Package.swift") else { return nil }
        let lines = manifest.split(separator: "\n")
        if lines.contains(where: { $0 == PluginHome.cloneTable }) { return .clone }
        guard lines.contains(where: { $0 == PluginHome.packageTable }) else { return nil }
        // The command is the room with a main.swift.
        for name in try names(in: "\(folder)/Sources") {
            if access("\(folder)/Sources/\(name)/main.swift", F_OK) == 0 {
                return .package(command: name)
            }
        }
        return nil
    }

    /// The text of a file; nil when it does not exist.
    static func text(of path: String) throws(HostError) -> String? {
        do { return try TextFile.read(path) } catch { throw HostError(.failure, error.message) }
    }

    /// The names in a folder, sorted; none when it does not exist.
    static func names(in folder: String) throws(HostError) -> [String] {
        guard let stream = opendir(folder) else {
            let code = errno
            if code == ENOENT { return [] }
            throw .system("read", folder, errno: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
