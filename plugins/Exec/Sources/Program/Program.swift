import GatewayCore
import Glibc
import HealthModel
import JSON
import Platform

/// A program of the configuration: its command, environment and working directory.
struct Program: Sendable {
    /// The keys of its settings.
    static let keys = ["command", "environment", "directory"]
    /// The time that it has after its input is closed, before SIGTERM, in seconds.
    static let graceSeconds = 5.0
    /// The time that it has after SIGTERM, before SIGKILL, in seconds.
    static let killSeconds = 1.0
    private static let argumentLimit = 64
    private static let variableLimit = 64
    private static let textLimit = 4_096
    /// The variables of the gateway that a program gets: the others may be secrets.
    private static let inherited = [
        "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER",
    ]

    /// The key path of the command.
    let path: String
    private let options: ChildProcess.Options

    /// Reads the settings of a source, decoder or sink without starting anything.
    init(
        _ object: ConfigurationObject, _ context: ComponentContext
    ) throws(ConfigurationError) {
        let command = try object.require("command")
        path = command.path
        var arguments: [String] = []
        for node in try command.array() { arguments.append(try Self.text(node)) }
        guard let program = arguments.first, !program.isEmpty, arguments.count <= Self.argumentLimit
        else {
            throw command.error(
                "must be a list of 1 to \(Self.argumentLimit) strings, the program and its arguments"
            )
        }
        var variables = context.environment.filter { Self.inherited.contains($0.key) }
        variables["PATH"] = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        try variables.merge(Self.variables(object["environment"])) { $1 }
        // A program with a slash is searched for from the working directory.
        options = ChildProcess.Options(
            arguments: arguments,
            environment: variables.map { "\($0.key)=\($0.value)" }.sorted(),
            directory: try object["directory"].map { node throws(ConfigurationError) in
                context.resolve(try Self.text(node))
            } ?? context.dataDirectory)
    }

    /// The program's name, for messages.
    var name: String { options.arguments[0] }

    private static func text(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        guard !text.utf8.contains(0), text.utf8.count <= textLimit else {
            throw node.error("must be up to \(textLimit) bytes without a null character")
        }
        return text
    }

    private static func variables(
        _ node: ConfigurationNode?
    ) throws(ConfigurationError) -> [String: String] {
        guard let node else { return [:] }
        let entries = try node.entries()
        guard entries.count <= variableLimit else {
            throw node.error("must have up to \(variableLimit) variables")
        }
        var variables: [String: String] = [:]
        for (name, value) in entries {
            guard !name.isEmpty, !name.contains("="), !name.utf8.contains(0) else {
                throw value.error("must have a name without `=`")
            }
            variables[name] = try text(value)
        }
        return variables
    }

    /// Starts the program.
    ///
    /// - Throws: ``LinkError`` with the remedy.
    func start(_ poller: DescriptorPoller) throws(LinkError) -> ChildProcess {
        do throws(ChildProcessError) {
            return try ChildProcess(options, poller: poller)
        } catch {
            throw Self.linkError(error, name)
        }
    }

    private static func linkError(_ error: ChildProcessError, _ name: String) -> LinkError {
        switch error.code {
        case ENOENT:
            LinkError(
                "`\(name)` or its directory is missing",
                remedy: "install it, or set its full path in `command`")
        case EACCES:
            LinkError("`\(name)` is not executable", remedy: "run: chmod +x \(name)")
        case ENOEXEC:
            LinkError(
                "`\(name)` is not a program",
                remedy: "add a first line such as #!/bin/sh to a script")
        default: LinkError("`\(name)` cannot be started: \(error)")
        }
    }

    /// The failure of a program that has ended by itself.
    func failure(_ end: ChildProcess.End?) -> LinkError {
        let end = end.map { "\($0)" } ?? "closed its standard output"
        return LinkError("`\(name)` \(end)", remedy: "see its messages in the log")
    }
}

extension Program {
    /// Checks that the program is there and can be executed.
    func check() throws(ConfigurationError) {
        let places = candidates
        if places.contains(where: { access($0, X_OK) == 0 && !Self.isDirectory($0) }) { return }
        let isThere = places.contains { access($0, F_OK) == 0 }
        throw ConfigurationError(
            path: path,
            problem: isThere
                ? "`\(name)` is not executable; run: chmod +x \(name)"
                : "`\(name)` was not found; install it, or set its full path")
    }

    private var candidates: [String] {
        if name.contains("/") { return [DataFiles.resolve(name, in: options.directory)] }
        let variable = options.environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? ""
        return variable.split(separator: ":").map { "\($0)/\(name)" }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
