import GatewayCore
package import GatewayHost
import Glibc
import Platform

/// Restores a verified backup into a data directory without data: all of it, or nothing.
package struct Restoration {
    /// The entries of a data directory that a restore leaves alone: none is a record or a setting of a
    /// gateway that has run.
    private static let harmless: Set = [
        DataFiles.lock, DataFiles.secrets, DataFiles.control, DataFiles.restoreDraft, "simulation",
        DataFiles.crashNote, DataFiles.crashes, DataFiles.crashesDraft, DataFiles.hangNote,
        DataFiles.hangNoteDraft, DataFiles.links,
    ]
    /// What the drafts beside their places end with.
    private static let suffix = ".restoring"

    private let file: BackupFile
    private let plan: RestorePlan
    private let report: BackupFile.Report
    private let files: RestoredFiles

    /// Makes the restore of a file that was verified; `report` gets the bytes that are restored.
    package init(
        of file: BackupFile, by plan: RestorePlan,
        report: @escaping BackupFile.Report
    ) {
        self.file = file
        self.plan = plan
        self.report = report
        files = RestoredFiles(in: plan.folder)
    }

    /// Restores everything.
    ///
    /// When it throws, there is nothing of the backup, or all that is left are renames that the next command
    /// does. The folders that it made remain.
    package func run() throws(HostError) {
        try plan.folder.create()
        let lock = try lockFolder()
        defer { withExtendedLifetime(lock) {} }
        try checkIsEmpty()
        try removeOldDrafts()
        try files.begin()
        do throws(HostError) {
            try writeDrafts()
            try RestoredContent(
                folder: DataDirectory(path: files.draft),
                types: plan.configuration.configuration.types, store: storeDraft
            ).check()
            try files.commit(moves())
        } catch {
            Folder.remove(files.draft)
            for draft in [storeDraft, configurationDraft].compactMap({ $0 }) {
                for ending in ["", "-journal", "-wal", "-shm"] { unlink(draft + ending) }
            }
            throw error
        }
        try files.finish()
    }

    private func lockFolder() throws(HostError) -> DataDirectoryLock {
        do throws(HostError) {
            return try DataDirectoryLock(plan.folder)
        } catch {
            guard DataDirectoryLock.owner(of: plan.folder) != nil else { throw error }
            throw HostError(error.status, "\(error.text); stop it before you restore a backup")
        }
    }

    private func checkIsEmpty() throws(HostError) {
        let names = try Folder.names(in: plan.folder.path).filter {
            !Self.harmless.contains($0) && !$0.contains(text: Self.suffix)
        }
        guard names.isEmpty else {
            throw HostError(
                .failure,
                "the data directory \(plan.folder.path) has data already: "
                    + names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
                    + "; move it away, and restore into an empty one: "
                    + "mv \(ShellWord.quoted(plan.folder.path)) "
                    + ShellWord.quoted("\(plan.folder.path).before-restore"))
        }
        guard let store = plan.store, Folder.exists(store) else { return }
        throw HostError(.failure, "there is a store already at \(store); move it away")
    }

    // MARK: Drafts

    /// Removes what a restore has left that was killed.
    private func removeOldDrafts() throws(HostError) {
        for name in try Folder.names(in: plan.folder.path) where name.contains(text: Self.suffix) {
            unlink(plan.folder.resolve(name))
        }
        for draft in [storeDraft, configurationDraft].compactMap(\.self) {
            let (folder, base) = (
                TextFile.folder(of: draft), draft.split(separator: "/").last ?? ""
            )
            // A folder that cannot be read has none that this user left.
            for name in (try? Folder.names(in: folder)) ?? [] where Self.isDraft(name, of: base) {
                unlink("\(folder)/\(name)")
            }
        }
    }

    /// Whether a name is `base`, or that of a file beside it: those of SQLite, and `base.PID.new`.
    private static func isDraft(_ name: String, of base: Substring) -> Bool {
        guard name.hasPrefix(base) else { return false }
        let rest = name.dropFirst(base.count)
        guard rest.hasPrefix("."), rest.hasSuffix(".new") else {
            return ["", "-journal", "-wal", "-shm"].contains(rest)
        }
        let number = rest.dropFirst().dropLast(".new".count)
        return !number.isEmpty && number.allSatisfy(\.isNumber)
    }

    private var storeDraft: String? { plan.store.map { $0 + Self.suffix } }

    private var configurationTarget: String? {
        guard case .written(let path) = plan.outcome else { return nil }
        return path
    }

    private var configurationDraft: String? { configurationTarget.map { $0 + Self.suffix } }

    /// The draft of a file; nil for one that is not restored.
    private func draft(of member: BackupMember) -> String? {
        switch member {
        case .checksums, .manifest: nil
        case .configuration: configurationDraft
        case .store: storeDraft
        case .small, .pendingImport: "\(files.draft)/\(member.name)"
        }
    }

    private func writeDrafts() throws(HostError) {
        if let target = configurationTarget { try makeFolder(of: target) }
        var output: OutputFile?
        try file.read(report) { (member, part) throws(HostError) in
            switch part {
            case .begin:
                guard let path = draft(of: member) else { return }
                if case .pendingImport = member { try makeFolder(of: path) }
                output = try OutputFile(path)
            case .piece(let bytes): try output?.write(bytes)
            case .end:
                try output?.commit()
                output = nil
            }
        }
    }

    private func makeFolder(of path: String) throws(HostError) {
        try DataDirectory(path: TextFile.folder(of: path)).create()
    }

    /// The renames of the drafts; the configuration is the first, because it names the data directory.
    private func moves() throws(HostError) -> [RestoredFiles.Move] {
        var moves: [RestoredFiles.Move] = []
        if let configurationDraft, let configurationTarget {
            moves.append(RestoredFiles.Move(from: configurationDraft, to: configurationTarget))
        }
        if let storeDraft, let store = plan.store {
            moves.append(RestoredFiles.Move(from: storeDraft, to: store))
        }
        for name in try Folder.names(in: files.draft) {
            moves.append(
                RestoredFiles.Move(
                    from: "\(files.draft)/\(name)", to: plan.folder.resolve(name)))
        }
        return moves
    }
}
