import ControlSocket
import GatewayCore
import GatewayHost
import JSON
import Platform
import QRCode
import Terminal

/// `pulsegate open`: prints the address of the web page, and opens it on a desktop.
struct OpenCommand: Command {
    static let syntax = CommandSyntax(
        name: "open",
        summary: "Print the address of the web page, with a QR code for a phone, and open it.",
        options: [
            CommandSyntax.Option(
                name: "--simulate", help: "that of `pulsegate run --simulate --web`"),
            CommandSyntax.Option(
                name: "--client", value: "NAME",
                help:
                    "add the token of this client of the service: whoever has the address has its access"
            ),
            CommandSyntax.Option(
                name: "--qr",
                help: "print the QR code in a pipe, too, and of an address of this machine only"),
            CommandSyntax.Option(name: "--no-browser", help: "only print"),
        ],
        details: """
            At a terminal it prints a QR code when other machines reach the address. On a desktop it opens the
            address in the browser. In a pipe it prints the address only.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        let service = try await service(files)
        guard let base = service.address else { throw noServer }
        let address = try base + token(of: service.name, files)
        var code = ""
        let isTerminal = StandardStream.output.isTerminal
        let isReachable = !base.hasPrefix("http://127.") && !base.hasPrefix("http://[::1]")
        if arguments.has("--qr") || (isTerminal && isReachable) {
            code = try self.code(of: address)
        }
        try StandardStream.output.writeResult(address + "\n")
        try StandardStream.output.writeResult(
            code, paintedBy: Painter(.output, environment: environment))
        if isTerminal, !arguments.has("--no-browser") {
            Desktop(environment: environment).open(address)
        }
        return .success
    }

    /// The running web server.
    private func service(_ files: CommandFiles) async throws(HostError) -> StatusReport.Part {
        var client = try await ControlClient.connecting(
            files.folder, isSimulation: files.isSimulation, clock: SystemClock())
        let line = try client.ask(.status)
        guard let report = try? StatusReport(line: line) else { throw client.unknownAnswer }
        guard let service = report.services.first(where: { $0.address != nil }) else {
            if let failure = report.services.first(where: { $0.name == GatewayRun.webUse })?.failure
            {
                throw HostError(.failure, "the web server does not run: \(failure)")
            }
            throw noServer
        }
        return service
    }

    private var noServer: HostError {
        HostError(
            .failure,
            "the gateway has no web server; start it with `pulsegate run --web`, or add "
                + #"`services: { web: { use: "web" } }` to its configuration"#)
    }

    /// The query with the token of a client.
    private func token(
        of service: String, _ files: CommandFiles
    ) throws(HostError) -> String {
        guard let name = arguments.value(of: "--client") else { return "" }
        var context = ComponentContext(
            name: service, clock: SystemClock(), log: Logger(component: service) { _ in },
            dataDirectory: files.folder.path, environment: environment.variables)
        context.secretsFolder = files.folder.secretsFolder
        let services = files.configuration.configuration.services
        do throws(ConfigurationError) {
            let settings = try services.first { $0.name == service }?.settings.entries() ?? []
            let tokens = try settings.first { $0.key == "tokens" }?.node.entries() ?? []
            if let token = tokens.first(where: { $0.key == name })?.node {
                return "?token=" + URLText.escaped(try Secret(token, context).read().text)
            }
        } catch {
            throw files.configuration.failure(error)
        }
        throw HostError(
            .usage,
            "the service `\(service)` has no token `\(LogFormat.escaped(name))`; add it to "
                + "`tokens` in \(files.configuration.place)")
    }

    private func code(of address: String) throws(HostError) -> String {
        guard let code = QRCode(address) else {
            throw HostError(
                .failure,
                "the address is longer than \(QRCode.lengthLimit) bytes, too long for a QR code")
        }
        let painter = Painter(.output, environment: environment)
        let lines = code.lines(drawsDark: painter.isOn)
        let width = lines.map(\.count).max() ?? 0
        // A line that is broken makes it unreadable.
        guard !StandardStream.output.isTerminal || width <= StandardStream.output.size.columns
        else {
            return "the QR code needs a terminal of \(width) columns\n"
        }
        return "\n" + lines.map { painter.paint($0, .code) + "\n" }.joined()
    }
}
