import GatewayHost
import Platform

/// `pulsegate capture`: runs the gateway and records the raw traffic of its devices.
struct CaptureCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "capture",
        summary: "Run the gateway and record the raw traffic of its devices in a file.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: [
            CommandSyntax.Option(
                name: "--for", value: "SECONDS", help: "stop after SECONDS"),
            CommandSyntax.Option(
                name: "--simulate",
                help: "capture a simulated strap and pedometer instead of the configured sources"),
            CommandSyntax.Option(
                name: "--anonymize",
                help: "leave out the names, addresses and serial numbers of devices"),
            CommandSyntax.Option(name: "--force", help: "replace an existing FILE"),
        ],
        details: """
            The gateway runs as with `run`, and its records go to the configured sinks. Stop a gateway
            that is already running first.
            The file grows by one line for every message of a device, and is usable at any time, also
            after a crash. It contains health data; only you can read it.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let capture = GatewayHost.CaptureOptions(
            path: arguments.operands[0], replaces: arguments.has("--force"),
            isAnonymous: arguments.has("--anonymize"))
        return try await GatewayRun(call: call, capture: capture).run()
    }
}
