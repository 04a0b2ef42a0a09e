import GatewayCore

/// `pulsegate check` says whether the configuration is right.
struct CheckCommand {
    static let syntax = CommandSyntax(
        name: "check",
        summary: "Say whether the configuration is right, and where it is not.")

    let arguments: ParsedArguments
    let plugins: Plugins
    let environment: Environment

    func run() throws(CommandFailure) -> ExitStatus {
        let file = try ConfigurationFile.load(
            option: arguments.value(of: "--config"), environment: environment)
        let folder = try DataFolder.locate(
            configuration: file.configuration, environment: environment, isSimulation: false)
        let assembly = Assembly(
            plugins: plugins, dataFolder: folder, environment: environment, clock: SystemClock(),
            log: Logger(component: "check") { _ in })
        let sources: [Gateway.NamedSource]
        let sinks: [Gateway.NamedSink]
        do {
            sources = try assembly.sources(file.configuration)
            sinks = try assembly.sinks(file.configuration)
        } catch {
            throw file.failure(error)
        }
        let sourceNames = sources.map(\.name).joined(separator: ", ")
        try StandardStream.output.writeResult(
            """
            configuration: \(file.path.map { "\($0) is right" } ?? "no file, the defaults hold")
            sources: \(sourceNames.isEmpty ? "none, so there is nothing to run" : sourceNames)
            sinks: \(sinks.map(\.name).joined(separator: ", "))
            data: \(folder.path)

            """)
        return .success
    }
}
