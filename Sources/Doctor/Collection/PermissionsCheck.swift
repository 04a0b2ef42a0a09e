import GatewayCore
import GatewayHost
import Glibc
import JSON

/// Collects what other users of the machine may read or change.
struct PermissionsCheck: Sendable {
    /// The permission bits of the group and of others.
    private static let others: mode_t = 0o077
    private static let othersWrite: mode_t = 0o022
    private static let everybodyReads: mode_t = 0o004

    let file: ConfigurationFile
    let folder: DataDirectory

    /// The facts about the files of this user; those of others cannot be changed by it.
    func facts() -> PermissionFacts {
        var facts = PermissionFacts()
        if hasOpenMode(folder.path) { facts.openDirectory = folder.path }
        let secrets = folder.secretsFolder
        let stored = ((try? Folder.names(in: secrets)) ?? []).map { "\(secrets)/\($0)" }
        facts.openSecrets = ([secrets] + stored).filter(hasOpenMode)
        guard let path = file.path, let mode = mode(of: path) else { return facts }
        if mode & Self.othersWrite != 0 { facts.writableConfiguration = path }
        if mode & Self.everybodyReads != 0, hasHeaders { facts.readableConfiguration = path }
        return facts
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o7777
    }

    private func hasOpenMode(_ path: String) -> Bool {
        mode(of: path).map { $0 & Self.others != 0 } ?? false
    }

    /// Whether a sink has a header in the configuration itself, which can be a login.
    private var hasHeaders: Bool {
        (file.configuration.sinks ?? []).contains { sink in
            guard case .object(let fields) = sink.settings.value,
                case .object(let headers)? = fields["headers"]
            else { return false }
            return headers.values.contains { if case .string = $0 { true } else { false } }
        }
    }
}
