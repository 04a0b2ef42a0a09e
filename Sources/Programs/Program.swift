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
            throw linkError(error)
        }
    }

    private func linkError(_ error: ChildProcessError) -> LinkError {
        if let flaw { return flaw }
        return switch error.code {
        case ENOENT:
            LinkError(
                "what `\(name)` runs with is missing, an interpreter or a loader",
                remedy: "install it")
        case EACCES:
            LinkError(
                "`\(name)` cannot be executed: \(SystemCall.message(of: EACCES))",
                remedy: "grant this user access to its directory and its interpreter")
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
        guard let flaw else { return }
        throw ConfigurationError(path: path, problem: "\(flaw)")
    }

    /// Why the program cannot be started, as far as the files show it; nil when nothing speaks against it.
    private var flaw: LinkError? { directoryFlaw ?? fileFlaw }

    private var directoryFlaw: LinkError? {
        // The data directory is made when the gateway starts.
        guard hasOwnDirectory else { return nil }
        let subject = "the working directory \(directory) of `\(name)`"
        var status = stat()
        guard stat(directory, &status) == 0 else {
            return switch errno {
            case ENOENT:
                LinkError("\(subject) does not exist", remedy: "create it, or correct `directory`")
            case ENOTDIR: LinkError("\(subject) is below a file", remedy: "correct `directory`")
            case let code:
                LinkError(
                    "\(subject) cannot be reached: \(SystemCall.message(of: code))",
                    remedy: "grant this user access to it")
            }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return LinkError("\(subject) is not a folder", remedy: "correct `directory`")
        }
        guard access(directory, X_OK) != 0 else { return nil }
        return LinkError(
            "\(subject) cannot be entered: \(SystemCall.message(of: errno))",
            remedy: "grant this user access to it")
    }

    private var fileFlaw: LinkError? {
        guard !name.contains("/") else {
            let file = ProgramFile(path: DataFiles.resolve(name, in: directory))
            guard !file.exists else { return file.flaw }
            return LinkError(
                "`\(file.path)` was not found", remedy: "install it, or correct `command`")
        }
        let folders = variables["PATH"] ?? ""
        let files = folders.split(separator: ":").map { "\($0)/\(name)" }
            // A folder with the name of the program is passed over.
            .filter { access($0, F_OK) == 0 && !Self.isDirectory($0) }.map(ProgramFile.init)
        guard let first = files.first else {
            return LinkError(
                "`\(name)` was not found in PATH (\(folders))",
                remedy: "install it, or set its full path in `command`")
        }
        return files.contains { $0.flaw == nil } ? nil : first.flaw
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
