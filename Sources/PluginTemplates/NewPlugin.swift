/// A plugin to write: its files, and the lists that name it.
package struct NewPlugin: Hashable, Sendable {
    package let name: PluginName
    package let kind: PluginKind
    /// The package that gets it.
    package let home: PluginHome

    package init(_ name: PluginName, _ kind: PluginKind, in home: PluginHome) {
        self.name = name
        self.kind = kind
        self.home = home
    }

    /// The main type: `StepClipProtocol`.
    var type: String { name.type(kind) }

    /// The folder of the plugin.
    package var folder: String {
        home == .directory ? name.module : "plugins/\(name.module)"
    }

    /// The files of the plugin.
    package var files: [TemplateFile] {
        let files =
            switch kind {
            case .serialAdapter: SerialTemplate(self).files
            case .bluetoothAdapter: BluetoothTemplate(self).files
            case .sink: SinkTemplate(self).files
            case .source: SourceTemplate(self).files
            case .service: ServiceTemplate(self).files
            case .program: ProgramTemplate(self).files
            }
        return files.map {
            TemplateFile("\(folder)/\($0.path)", $0.text, isExecutable: $0.isExecutable)
        }
    }

    /// The changes of the files that list the plugins of the package.
    package var edits: [FileEdit] {
        guard let list = kind.list else { return [] }
        return home.edits(name: name, factory: "\(type).factory", list: list, kind: kind)
    }

    /// The texts and recordings that describe the example, and not yet a device or destination.
    package var textsToChange: String {
        let fixtures = files.contains { $0.path.hasPrefix("\(folder)/Fixtures/") }
        let row = edits.contains { $0.path == "README.md" }
        return
            (["\(folder)/README.md"] + (fixtures ? ["\(folder)/Fixtures"] : [])
            + (row ? ["its row in README.md"] : [])).joined(separator: ", ")
    }

    /// The commands to run next, in the folder of the package.
    package var nextCommands: [String] {
        guard kind != .program else {
            return [
                "python3 \(folder)/test_\(name.snakeCase).py",
                "\(home.command) check --config \(folder)/sample.json5",
                "\(home.command) plugins exec",
            ]
        }
        return [
            "swift test --filter \(name.module)Tests",
            "swift format lint --strict --recursive \(folder)",
            "\(home.command) plugins \(name.use)",
            "\(home.command) check --config \(folder)/sample.json5",
        ]
    }
}

/// The kinds of places that get a plugin.
package enum PluginHome: Hashable, Sendable {
    /// A clone of Pulsegate.
    case clone
    /// A package outside the tree, with the name of its command.
    case package(command: String)
    /// Any directory, for a program.
    case directory

    /// The access of what the package's list names.
    var access: String { self == .clone ? "package" : "public" }

    /// How its gateway is run.
    var command: String {
        switch self {
        case .clone: "swift run pulsegate"
        case .package(let name): "swift run \(name)"
        case .directory: "pulsegate"
        }
    }
}
