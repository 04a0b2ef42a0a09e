import GatewayHost
import Glibc
import PluginTemplates

/// The folder of a new package, and the clone of Pulsegate that the package uses.
struct NewPackagePlace {
    /// The folder, which is empty or does not exist.
    let root: String
    let template: PackageTemplate
    /// The names that a module of the package cannot have.
    let modules: [String]

    init(directory: String, clone: String) throws(HostError) {
        root = try Self.root(directory)
        let cloneRoot = try Folder.resolved(clone)
        guard let tree = try PluginTree.find(from: cloneRoot), tree.root == cloneRoot,
            tree.home == .clone
        else {
            throw HostError(
                .usage,
                "--package: \(clone) is not a clone of Pulsegate; give the folder with its "
                    + "Package.swift")
        }
        let name = root.split(separator: "/").last.map(String.init) ?? ""
        // A path from this directory is one from the package only when the package is here.
        let isPathFromPackage = clone.hasPrefix("/") || directory == "."
        let path = isPathFromPackage ? clone : Self.path(from: root, to: cloneRoot)
        do { template = try PackageTemplate(command: name, clone: path) } catch {
            throw HostError(.usage, error.description)
        }
        let taken = try PluginTree.modules(in: cloneRoot)
        modules = taken + [name, "PluginTests"]
        guard !taken.contains(where: { $0.lowercased() == name.lowercased() }) else {
            throw HostError(
                .usage, "Pulsegate has a module `\(name)`; use a folder with another name")
        }
    }

    /// The relative path between two absolute ones: `../pulsegate`.
    static func path(from folder: String, to target: String) -> String {
        var (here, there) = (folder.split(separator: "/")[...], target.split(separator: "/")[...])
        while let first = here.first, first == there.first {
            here.removeFirst()
            there.removeFirst()
        }
        let up = here.map { _ in ".." }
        return (up + there.map(String.init)).joined(separator: "/")
    }

    /// The absolute path of a folder that is empty, but for `.git`, or that can be created.
    private static func root(_ path: String) throws(HostError) -> String {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .system("use", path, errno: errno) }
            let parts = path.split(separator: "/")
            let parent = parts.dropLast().joined(separator: "/")
            let start = path.hasPrefix("/") ? "/\(parent)" : parent.isEmpty ? "." : parent
            let folder = try Folder.resolved(start)
            return (folder == "/" ? "" : folder) + "/\(parts.last ?? "")"
        }
        let folder = try Folder.resolved(path)
        if let name = try Folder.names(in: folder).first(where: { $0 != ".git" }) {
            throw HostError(
                .usage,
                "--package: \(folder) has `\(name)` in it; use an empty or a new folder, or leave "
                    + "--package out to add to a package")
        }
        return folder
    }
}
