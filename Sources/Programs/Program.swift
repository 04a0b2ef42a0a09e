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
        let file = file
        if let flaw = file?.flaw { return flaw }
        return switch error.code {
        case ENOENT where file != nil && Self.isDirectory(directory):
            LinkError(
                "what `\(name)` runs with is missing, an interpreter or a loader",
                remedy: "install it")
        case ENOENT:
            LinkError(
                "`\(name)` or its directory is missing",
                remedy: "install it, or set its full path in `command`")
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
        // The data directory is made when the gateway starts.
        guard !hasOwnDirectory || Self.isDirectory(directory) else {
            throw ConfigurationError(
                path: path,
                problem: "its working directory \(directory) does not exist; create it, or "
                    + "correct `directory`")
        }
        guard let file else {
            throw ConfigurationError(
                path: path, problem: "`\(name)` was not found; install it, or set its full path")
        }
        guard let flaw = file.flaw else { return }
        throw ConfigurationError(path: path, problem: "\(flaw)")
    }

    /// The file of the program, or else one that cannot be executed; nil when there is none.
    private var file: ProgramFile? {
        guard !name.contains("/") else {
            let file = ProgramFile(path: DataFiles.resolve(name, in: directory))
            return file.exists ? file : nil
        }
        let files = (variables["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            // A folder with the name of the program is passed over.
            .filter { access($0, F_OK) == 0 && !Self.isDirectory($0) }.map(ProgramFile.init)
        return files.first { $0.flaw == nil } ?? files.first
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
