import GatewayCore
import Glibc
import HealthModel
import Platform

/// A program of the configuration: its command, environment and working directory.
struct Program: Sendable {
    /// The time that it has after its input is closed, before SIGTERM, in seconds.
    static let graceSeconds = 5.0
    /// The time that it has after SIGTERM, before SIGKILL, in seconds.
    static let killSeconds = 1.0
    /// The variables of the gateway that a program gets: the others may be secrets.
    private static let inherited = [
        "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER",
    ]

    /// The key path of the command.
    let path: String
    private let options: ChildProcess.Options
    private let hasOwnDirectory: Bool

    /// Makes a program of its settings without starting it.
    ///
    /// `device` is in its environment as `PULSEGATE_DEVICE`.
    init(_ settings: ProgramSettings, _ context: ComponentContext, device: String? = nil) {
        path = settings.path
        hasOwnDirectory = settings.directory != nil
        var variables = context.environment.filter { Self.inherited.contains($0.key) }
        variables["PATH"] = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        variables["PULSEGATE_DEVICE"] = device
        variables.merge(settings.variables) { $1 }
        // A program with a slash is searched for from the working directory.
        options = ChildProcess.Options(
            arguments: settings.arguments,
            environment: variables.map { "\($0.key)=\($0.value)" }.sorted(),
            directory: settings.directory.map(context.resolve) ?? context.dataDirectory)
    }

    /// The program's name, for messages.
    var name: String { options.arguments[0] }

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
        // The data directory is made when the gateway starts.
        guard !hasOwnDirectory || Self.isDirectory(options.directory) else {
            throw ConfigurationError(
                path: path,
                problem: "its working directory \(options.directory) does not exist; create it, or "
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
        if name.contains("/") { return [DataFiles.resolve(name, in: options.directory)] }
        let variable = options.environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? ""
        return variable.split(separator: ":").map { "\($0)/\(name)" }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
