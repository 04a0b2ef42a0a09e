import Backup
import GatewayCore
import GatewayHost
import Platform
import Terminal

/// `pulsegate backup`: writes a backup of the data directory and the configuration.
struct BackupCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "backup",
        summary: "Write a backup of the store, devices, people and the configuration to a file.",
        operands: [CommandSyntax.Operand("FILE", .file)],
        options: [CommandSyntax.Option(name: "--force", help: "replace a file that exists")],
        details: """
            A gateway may run meanwhile. Records that wait in its journal are stored first. FILE is a tar
            archive that only you can read: `tar -xf` opens it, `sha256sum -c SHA256SUMS` verifies it, and
            `sqlite3` reads the store. FILE `-` is standard output. It has no secrets: set them again after
            `pulsegate restore`. The status is 1 when records that were accepted before are not in it.
            """)

    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        try files.checkOwner()
        let interruption = Interruption()
        interruption.listen()
        let store = try StoreFile(
            ifIn: files.configuration, files.folder, usesConfiguredSinks: true,
            sinkUses: files.sinkUses)
        let output = try BackupOutput(
            arguments.operands[0], isReplacing: arguments.has("--force"),
            BackedUpFiles(
                in: files.folder, store: store?.path, configuration: files.configuration.path))
        let delivery = try await BackupDelivery(call, files, store)
        let manifest = try await interruption.run { () throws(HostError) in
            try write(files, delivery, output, interruption)
        }
        for note in delivery.notes + manifest.omissions { CommandNote.write(note) }
        if !manifest.secrets.isEmpty {
            CommandNote.write("not in the backup: \(manifest.secrets.joined(separator: ", "))")
        }
        if let reason = manifest.incompleteness { throw HostError(.failure, reason) }
        return .success
    }

    private func write(
        _ files: CommandFiles, _ delivery: BackupDelivery, _ output: BackupOutput,
        _ interruption: Interruption
    ) throws(HostError) -> BackupManifest {
        let writer = try output.open(interruption)
        try files.folder.actAsOwner()
        var progress = PhaseProgress(environment, SystemClock())
        defer { progress.end() }
        let request = Backup.Request(
            configuration: files.configuration, folder: files.folder, store: delivery.storePath,
            waiting: delivery.waiting, incompleteStore: delivery.incompleteStore,
            time: SystemClock().instant(), draft: output.storeDraft)
        let manifest = try Backup.write(request, to: writer.write) {
            (phase, done, all) throws(HostError) in
            try interruption.check()
            progress.show(phase.rawValue, done, of: all)
        }
        try interruption.check()
        try writer.commit()
        progress.end()
        StandardStream.error.write(
            "pulsegate: \(manifest.summary) written to \(LogFormat.escaped(output.name))\n")
        return manifest
    }
}
