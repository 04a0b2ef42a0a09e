import GatewayHost
import Installation
import Platform
import Terminal

/// A call of `install` or `uninstall`.
struct InstallationCall {
    static let options = [
        CommandSyntax.Option(name: "--system", help: "the service of the machine"),
        CommandSyntax.Option(name: "--user", help: "a service of the user who runs this command"),
        CommandSyntax.Option(
            name: "--dry-run", help: "print the files and commands, and change nothing"),
    ]

    let call: Subcommand.Call

    /// Makes the installer of the service that the options name.
    func installer() throws(HostError) -> Installer {
        let system = InstallationSystem.this
        let plan = InstallationPlan(
            try scope, program: try program, folders: try folders,
            hasUdev: Folder.exists("/run/udev/control"))
        return Installer(plan, on: system, isDryRun: call.arguments.has("--dry-run")) {
            line throws(HostError) in
            try StandardStream.output.writeResult(LogFormat.escaped(line) + "\n")
        }
    }

    private var scope: InstallationScope {
        get throws(HostError) {
            switch (call.arguments.has("--system"), call.arguments.has("--user")) {
            case (true, false): .system
            case (false, true): .user
            default: throw HostError(.usage, "set either --system or --user")
            }
        }
    }

    /// The path of this program.
    private var program: String {
        get throws(HostError) {
            guard let path = SystemCall.target(ofLink: "/proc/self/exe") else {
                throw HostError(.failure, "cannot find the path of this program: is /proc mounted?")
            }
            return path
        }
    }

    private var folders: InstallationPlan.UserFolders {
        get throws(HostError) {
            guard let home = call.environment.home else {
                throw HostError(.failure, "no home directory: set $HOME")
            }
            let configuration = call.environment.folder("XDG_CONFIG_HOME") ?? "\(home)/.config"
            let data = call.environment.folder("XDG_DATA_HOME") ?? "\(home)/.local/share"
            return InstallationPlan.UserFolders(
                configuration: configuration, data: "\(data)/pulsegate")
        }
    }
}
