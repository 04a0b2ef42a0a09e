import GatewayHost
import Installation

/// `pulsegate install`: installs the gateway as a service of systemd.
struct InstallCommand: Command {
    static let syntax = CommandSyntax(
        name: "install",
        summary: "Install the gateway as a service of systemd, and start it.",
        options: InstallationCall.options,
        details: """
            Writes the unit and an example of a configuration, unless there is one, and enables and starts
            the service. --system also creates the user and the group `pulsegate` and installs the udev
            rules of serial ports; it needs root. Every step is printed; another call changes only what is
            different. The Debian package does the same by itself.
            """)

    let call: Subcommand.Call

    func run() throws(HostError) -> ExitStatus {
        var installer = try InstallationCall(call: call).installer()
        try installer.install()
        return .success
    }
}

/// `pulsegate uninstall`: removes the service that `install` has made.
struct UninstallCommand: Command {
    static let syntax = CommandSyntax(
        name: "uninstall",
        summary: "Stop and remove the service that `install` has made.",
        options: InstallationCall.options,
        details:
            "The data, the configuration, the user and the group stay; it prints where they are.")

    let call: Subcommand.Call

    func run() throws(HostError) -> ExitStatus {
        var installer = try InstallationCall(call: call).installer()
        try installer.uninstall()
        return .success
    }
}
