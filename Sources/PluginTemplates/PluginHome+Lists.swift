extension PluginHome {
    /// The head of the table of plugins in the Package.swift of Pulsegate.
    package static let cloneTable =
        "let plugins: [(name: String, rooms: [Target.Dependency])] = ["
    /// The head of the table of plugins in the Package.swift of a package outside the tree.
    package static let packageTable = "let plugins: [String] = ["
    /// The list of the plugins of Pulsegate.
    package static let builtInPath = "Sources/PulsegateBuiltIn/BuiltIn.swift"

    /// The changes of the lists of this package for a plugin.
    func edits(name: PluginName, factory: String, list: String, kind: PluginKind) -> [FileEdit] {
        let module = name.module
        switch self {
        case .clone:
            let rooms = kind.rooms.map { "\"\($0)\"" }.joined(separator: ", ")
            return [
                FileEdit(
                    path: "Package.swift",
                    steps: [
                        .tableLine(
                            "    (\"\(module)\", [\(rooms)]),", name: module,
                            header: Self.cloneTable)
                    ]),
                FileEdit(
                    path: Self.builtInPath,
                    steps: [.importLine(module), .listElement(factory, label: list)]),
                FileEdit(
                    path: "README.md",
                    steps: [
                        .row(
                            "| \(kind.rowTitle) | [\(name.use)](plugins/\(module)/README.md) "
                                + "| an example: say here what it reads or writes |",
                            firstCell: kind.rowTitle, heading: "## What is built in")
                    ]),
            ]
        case .package(let command):
            return [
                FileEdit(
                    path: "Package.swift",
                    steps: [
                        .tableLine("    \"\(module)\",", name: module, header: Self.packageTable)
                    ]),
                FileEdit(
                    path: "Sources/\(command)/main.swift",
                    steps: [
                        .importLine(module),
                        .statement(
                            "plugins.\(list).append(\(factory))", behind: "plugins.",
                            orBehind: "var plugins = builtIn"),
                    ]),
            ]
        case .directory: return []
        }
    }
}
