import ControlSocket
import GatewayCore
import GatewayHost
import Platform

/// The sinks besides the store, which may have the records too that are deleted there.
struct OtherSinks {
    private let folder: DataDirectory
    private let isSimulation: Bool
    /// The sinks that accept deletions.
    private let accepting: [String]
    /// What is to be said about sinks before a deletion.
    let notes: [String]

    /// Finds the sinks; an invalid configuration is reported by the gateway.
    init(_ files: CommandFiles, _ call: Subcommand.Call) {
        folder = files.folder
        isSimulation = files.isSimulation
        let sinks = files.isSimulation ? [] : (try? Self.sinks(files, call)) ?? []
        accepting = sinks.filter(\.sink.acceptsDeletions).map(\.name)
        notes = sinks.filter { !$0.sink.acceptsDeletions }.map {
            "the sink `\($0.name)` does not accept deletions; delete the records there yourself"
        }
    }

    private static func sinks(
        _ files: CommandFiles, _ call: Subcommand.Call
    ) throws(HostError) -> [Gateway.NamedSink] {
        let store = try StoreFile(files).sinkName
        let plan = try GatewayPlan(
            file: files.configuration, folder: files.folder, plugins: call.plugins)
        let maker = PartsMaker(
            plugins: call.plugins, environment: call.environment, clock: SystemClock(),
            log: Logger(component: "delete") { _ in })
        return try maker.sinks(of: plan).filter { $0.name != store }
    }

    /// Notifies the running gateway of the deletion, and names the sinks that it forwards it to.
    func forward() {
        let isForwarding = (try? notify()) != nil
        guard !accepting.isEmpty else { return }
        let names = accepting.map { "`\($0)`" }.joined(separator: ", ")
        CommandNote.write(
            isForwarding
                ? "the running gateway forwards the deletion to \(names)"
                : "the next gateway forwards the deletion to \(names)")
    }

    private func notify() throws(HostError) {
        var client = try ControlClient(folder, isSimulation: isSimulation, clock: SystemClock())
        _ = try client.ask(.forwardDeletions, timeout: ControlClient.timeoutSeconds)
    }
}
