package import GatewayHost
package import PluginTemplates

/// What `pulsegate new` writes: decided and checked before anything is written.
package struct NewPluginPlan {
    /// The files to write and to change.
    package let changes: FileChanges
    private let plugin: NewPlugin

    /// Reads the lists of the package and computes all changes.
    ///
    /// - Parameters:
    ///   - directory: The option `--directory`.
    ///   - clone: The option `--package`.
    ///   - uses: The names of the built-in plugins.
    package init(
        name: String, kind: PluginKind, directory: String?, clone: String?, uses: [String]
    ) throws(HostError) {
        let checked: PluginName
        do { checked = try PluginName(name, kind: kind) } catch {
            throw HostError(.usage, error.description)
        }
        if let clone, kind != .program {
            let place = try NewPackagePlace(directory: directory ?? ".", clone: clone)
            let home = PluginHome.package(command: place.template.command)
            plugin = NewPlugin(checked, kind, in: home)
            try Self.check(checked, modules: place.modules, uses: uses)
            changes = FileChanges(
                root: place.root,
                files: Self.files(
                    try Self.applying(plugin.edits, to: place.template.files) + plugin.files))
            return
        }
        if clone != nil {
            throw HostError(
                .usage, "--package is not for --transport exec: a program needs no package")
        }
        let start = try Folder.resolved(directory ?? ".")
        let tree = try PluginTree.find(from: start)
        if let tree {
            try Self.check(checked, modules: try tree.modules(), uses: kind == .program ? [] : uses)
        } else if kind != .program {
            throw HostError(
                .usage,
                "\(start) is not in a clone of Pulsegate; change into one, name it with --directory, "
                    + "or write a package of your own with --package CLONE")
        }
        plugin = NewPlugin(checked, kind, in: tree?.home ?? .directory)
        let root = tree?.root ?? start
        guard !Folder.exists("\(root)/\(plugin.folder)") else {
            throw HostError(.usage, "\(root)/\(plugin.folder) exists already; use another name")
        }
        changes = FileChanges(
            root: root, files: Self.files(plugin.files),
            edits: try Self.edits(of: plugin, in: root))
    }

    /// The text that the command prints.
    ///
    /// - Parameter isDry: Whether nothing is written.
    package func report(isDry: Bool) -> String {
        let (create, change) = isDry ? ("would create", "would change") : ("created", "changed")
        let created = changes.files.map { "\(create) \($0.path)\n" }
        let changed = changes.edits.map { "\(change) \($0.path)\n" }
        let next = plugin.nextCommands.map { "  \($0)\n" }
        return (created + changed).joined() + "\nNext, in \(changes.root):\n" + next.joined()
            + "\nThese describe the example; change them with it: \(plugin.textsToChange)\n"
    }

    private static func check(
        _ name: PluginName, modules: [String], uses: [String]
    ) throws(HostError) {
        do { try name.check(modules: modules, uses: uses) } catch {
            throw HostError(.usage, error.description)
        }
    }

    private static func files(_ templates: [TemplateFile]) -> [FileChanges.File] {
        templates.map { FileChanges.File($0.path, $0.text, isExecutable: $0.isExecutable) }
    }

    /// The changed texts of files that exist.
    private static func edits(
        of plugin: NewPlugin, in root: String
    ) throws(HostError) -> [FileChanges.Edit] {
        var edits: [FileChanges.Edit] = []
        for edit in plugin.edits {
            let path = "\(root)/\(edit.path)"
            guard let old = try Folder.text(of: path) else {
                throw HostError(.failure, "cannot change \(path): no such file")
            }
            edits.append(
                FileChanges.Edit(path: edit.path, old: old, new: try applying(edit, to: old)))
        }
        return edits
    }

    /// The files of a new package with its first plugin in its lists.
    private static func applying(
        _ edits: [FileEdit], to files: [TemplateFile]
    ) throws(HostError) -> [TemplateFile] {
        var result: [TemplateFile] = []
        for file in files {
            guard let edit = edits.first(where: { $0.path == file.path }) else {
                result.append(file)
                continue
            }
            result.append(TemplateFile(file.path, try applying(edit, to: file.text)))
        }
        return result
    }

    private static func applying(_ edit: FileEdit, to text: String) throws(HostError) -> String {
        do { return try edit.apply(to: text) } catch {
            throw HostError(.failure, error.description)
        }
    }
}
