import Backup
import GatewayCore
import GatewayHost
import Platform
import Terminal

/// `pulsegate restore`: restores a backup into an empty data directory.
struct RestoreCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "restore",
        summary: "Restore a backup into an empty data directory, or verify it.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: [
            CommandSyntax.Option(
                name: "--check", help: "verify the backup only; nothing is changed")
        ],
        details: """
            Everything in FILE is verified before anything is written. Then all of it is restored, or
            nothing. No gateway may run on the data directory, and it must have no data. The configuration
            is written where this user's is expected, unless there is one. What waited in the journal of
            the old machine for other sinks than the store is not in a backup, and neither are secrets:
            the output names those to set again. The next start of a gateway updates a store of an earlier
            version.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let interruption = Interruption()
        interruption.listen()
        interruption.begin()
        let text = try await interruption.run { () throws(HostError) in
            try restore(interruption)
        }
        try StandardStream.output.writeResult(text)
        return .success
    }

    /// Returns the text of the result.
    private func restore(_ interruption: Interruption) throws(HostError) -> String {
        var progress = PhaseProgress(environment, SystemClock())
        defer { progress.end() }
        let file = try BackupFile(arguments.operands[0])
        let backup = try file.verify { (done, all) throws(HostError) in
            try interruption.check()
            progress.show("verifying", done, of: all)
        }
        let report = RestoreReport(backup.manifest)
        guard !arguments.has("--check") else {
            try RestoreTrial.run(
                file, backup, environment: environment, types: try plugins.makeQuantityTypes(),
                sinkUses: plugins.sinks.map(\.use)
            ) { (done, all) throws(HostError) in
                try interruption.check()
                progress.show("checking", done, of: all)
            }
            return report.verified
        }
        let plan = try RestorePlan(
            backup, option: arguments.value(of: "--config"), environment: environment,
            types: try plugins.makeQuantityTypes(), sinkUses: plugins.sinks.map(\.use))
        guard try !RestoredFiles(in: plan.folder).finishIfInterrupted() else {
            return report.completed(in: plan.folder)
        }
        let restoration = Restoration(of: file, by: plan) { (done, all) throws(HostError) in
            try interruption.check()
            progress.show("restoring", done, of: all)
        }
        try restoration.run()
        return try report.restored(by: plan)
    }
}
