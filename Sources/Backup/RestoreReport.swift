import GatewayCore
package import GatewayHost
import Platform

/// The text about a backup that was verified or restored.
package struct RestoreReport {
    private let manifest: BackupManifest

    /// Makes the text of a backup.
    package init(_ manifest: BackupManifest) {
        self.manifest = manifest
    }

    /// The text after a check.
    package var verified: String {
        lines(["the backup is intact: \(manifest.summary)", manifest.origin] + notes)
    }

    /// The text after the rest of a restore that was interrupted.
    package func completed(in folder: DataDirectory) -> String {
        lines([
            "completed the restore into \(folder.path) that was interrupted",
            "set the secrets again: `pulsegate check` names them",
        ])
    }

    /// The text after a restore.
    package func restored(by plan: RestorePlan) throws(HostError) -> String {
        let present = Set(
            try SecretsFolder(plan.folder).list().entries.map { "secret: \($0.name)" })
        let secrets = manifest.secrets.filter { !present.contains($0) }
        return lines(
            ["restored into \(plan.folder.path): \(manifest.summary)", manifest.origin]
                + [configuration(plan.outcome)].compactMap(\.self) + (try warnings(plan)) + notes
                + (secrets.isEmpty ? [] : ["not in a backup, set again before you start:"])
                + secrets.map { "  \(remedy(of: $0))" }
                + ["start the gateway: \(start(plan.folder))"])
    }

    private func start(_ folder: DataDirectory) -> String {
        folder.isOfService ? "sudo systemctl start pulsegate" : "pulsegate run"
    }

    /// What the backup brings that its user may not expect.
    private func warnings(_ plan: RestorePlan) throws(HostError) -> [String] {
        var lines: [String] = []
        if plan.isStoreOutside, let store = plan.store { lines.append("store: \(store)") }
        if plan.runsPrograms, case .written(let path) = plan.outcome {
            lines.append(
                "the configuration runs programs: check it before you start the gateway: \(path)")
        }
        let types = plan.configuration.configuration.types
        let clients = try AccessFile(folder: plan.folder, types: types).read().entries.count
        if clients > 0 {
            lines.append(
                "restored access of \(clients) client\(clients == 1 ? "" : "s"); see `pulsegate "
                    + "access list`")
        }
        return lines
    }

    private var notes: [String] {
        ([manifest.incompleteness].compactMap(\.self) + manifest.omissions).map { "note: \($0)" }
    }

    private func configuration(_ outcome: RestorePlan.ConfigurationOutcome) -> String? {
        switch outcome {
        case .none: nil
        case .written(let path): "configuration: \(path)"
        case .same(let path): "configuration: \(path) is the same"
        case .other(let path):
            "configuration: \(path) is another one and was not changed; to see that of the backup: "
                + "tar -xOf FILE \(BackupMember.configuration.name)"
        }
    }

    /// How a secret is set: `pulsegate secret set repo-token` for `secret: repo-token`.
    private func remedy(of reference: String) -> String {
        guard reference.hasPrefix("secret: ") else { return reference }
        return "pulsegate secret set \(reference.dropFirst("secret: ".count))"
    }

    private func lines(_ lines: [String]) -> String {
        lines.map { "\(LogFormat.escaped($0))\n" }.joined()
    }
}
