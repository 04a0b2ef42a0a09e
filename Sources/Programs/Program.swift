package import GatewayCore
import Glibc
import HealthModel
package import Platform

/// A program of the configuration: its command, environment and working directory.
package struct Program: Sendable {
    /// The variables of the gateway that a program gets: the others may be secrets.
    private static let inherited = [
        "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER",
    ]

    /// The key path of the command.
    private let path: String
    private let arguments: [String]
    private let variables: [String: String]
    private let directory: String
    private let hasOwnDirectory: Bool

    /// Makes a program of its settings without starting it.
    ///
    /// - Parameters:
    ///   - more: Further variables of the gateway that it gets.
    ///   - own: Variables that it gets unless its settings have them.
    package init(
        _ settings: ProgramSettings, _ context: ComponentContext, inheriting more: [String] = [],
        variables own: [String: String] = [:]
    ) {
        path = settings.path
        hasOwnDirectory = settings.directory != nil
        let inherited = Self.inherited + more
        var variables = context.environment.filter { inherited.contains($0.key) }
        variables["PATH"] = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        variables.merge(own) { $1 }
        variables.merge(settings.variables) { $1 }
        self.variables = variables
        arguments = settings.arguments
        // A program with a slash is searched for from the working directory.
        directory = settings.directory.map(context.resolve) ?? context.dataDirectory
    }

    /// The program's name, for messages.
    package var name: String { arguments[0] }

    /// Starts the program with more variables, which replace those of its settings.
    package func launch(
        _ poller: DescriptorPoller, variables more: [String: String] = [:]
    ) throws(ChildProcessError) -> ChildProcess {
        let environment = variables.merging(more) { $1 }
        return try ChildProcess(
            ChildProcess.Options(
                arguments: arguments,
                environment: environment.map { "\($0.key)=\($0.value)" }.sorted(),
                directory: directory),
            poller: poller)
    }

    /// Starts the program.
    ///
    /// - Throws: ``LinkError`` with the remedy.
    package func start(_ poller: DescriptorPoller) throws(LinkError) -> ChildProcess {
        do throws(ChildProcessError) {
            return try launch(poller)
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
    package func failure(_ end: ChildProcess.End?) -> LinkError {
        let end = end.map { "\($0)" } ?? "closed its standard output"
        return LinkError("`\(name)` \(end)", remedy: "see its messages in the log")
    }
}

extension Program {
    /// Checks that the program is there and can be executed.
    package func check() throws(ConfigurationError) {
        // The data directory is made when the gateway starts.
        guard !hasOwnDirectory || Self.isDirectory(directory) else {
            throw ConfigurationError(
                path: path,
                problem: "its working directory \(directory) does not exist; create it, or "
                    + "correct `directory`")
        }
        let places = candidates
        if places.contains(where: { access($0, X_OK) == 0 && !Self.isDirectory($0) }) { return }
        let isThere = places.contains { access($0, F_OK) == 0 }
        throw ConfigurationError(
            path: path,
            problem: isThere && !places.contains(where: Self.isDirectory)
                ? "`\(name)` is not executable; run: chmod +x \(name)"
                : "`\(name)` was not found; install it, or set its full path")
    }

    private var candidates: [String] {
        if name.contains("/") { return [DataFiles.resolve(name, in: directory)] }
        return (variables["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
