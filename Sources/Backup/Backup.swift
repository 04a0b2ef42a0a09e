import GatewayCore
package import GatewayHost
package import HealthModel
import JSON
import Platform

/// A backup of a data directory, a store and a configuration, while a gateway may run.
///
/// It is a tar archive without compression, so that anybody can open it with the tools of every system:
/// `tar -xf`, `sha256sum -c`, `sqlite3`. Other programs keep several files together in the same way, such as
/// PostgreSQL's `pg_basebackup --format=tar` with its manifest of checksums.
package struct Backup {
    /// What is backed up, and where the drafts are.
    package struct Request {
        let configuration: ConfigurationFile
        let folder: DataDirectory
        /// The path of the store; nil without one among the sinks.
        let store: String?
        /// The records that waited in the journal, by sink.
        let waiting: [String: Int64]
        /// The sink of the store, if not all of its records are there.
        let incompleteStore: String?
        let time: Instant
        /// The path of the copy of the store, which is removed at the end.
        let draft: String

        package init(
            configuration: ConfigurationFile, folder: DataDirectory, store: String?,
            waiting: [String: Int64], incompleteStore: String?, time: Instant, draft: String
        ) {
            self.configuration = configuration
            self.folder = folder
            self.store = store
            self.waiting = waiting
            self.incompleteStore = incompleteStore
            self.time = time
            self.draft = draft
        }
    }

    /// What is being done, for a line of progress.
    package enum Phase: String, Sendable {
        case copying = "copying the store"
        case summing = "calculating checksums"
        case writing = "writing"
    }

    /// Gets the phase, the number of bytes that are done in it, and that of all.
    ///
    /// An error that it throws ends the backup.
    package typealias Report = (Phase, Int64, Int64) throws(HostError) -> Void

    private let request: Request
    private let report: Report
    private var members: [(member: BackupMember, source: BackupSource)] = []
    private var manifest = BackupManifest()

    /// Writes a backup; returns what it is of.
    ///
    /// - Parameter write: Writes the next bytes of the archive.
    package static func write(
        _ request: Request, to write: @escaping ([UInt8]) throws(HostError) -> Void,
        report: @escaping Report
    ) throws(HostError) -> BackupManifest {
        var backup = Backup(request, report)
        try backup.collectSmallFiles()
        // After the small files: places of imports and of deletions are places in what the store has.
        try backup.copyStore()
        try backup.writeArchive(write)
        return backup.manifest
    }

    private init(_ request: Request, _ report: @escaping Report) {
        self.request = request
        self.report = report
    }

    private mutating func collectSmallFiles() throws(HostError) {
        if let path = request.configuration.path {
            // It is named by the user of the command, and may be only this user's.
            try AccountNames.asRealUser { () throws(HostError) in
                try addSmall(.configuration, at: path)
            }
        }
        for name in BackupMember.smallNames where !isLeftOut(name) {
            try addSmall(.small(name), at: request.folder.resolve(name))
        }
        let imports = request.folder.resolve(DataFiles.pendingImports)
        for name in try Folder.names(in: imports) where BackupMember.isImport(name) {
            // Nil when the import has just ended.
            guard let file = try OpenedFile("\(imports)/\(name)") else { continue }
            members.append((.pendingImport(name), .file(file)))
        }
        manifest.version = Version.current
        manifest.time = request.time
        manifest.waiting = request.waiting
        manifest.incompleteStore = request.incompleteStore
        manifest.devices = Int64(
            (try? AdoptedDevicesFile(folder: request.folder).read().count) ?? 0)
        let people = PeopleFile(
            folder: request.folder, types: request.configuration.configuration.types)
        manifest.people = Int64((try? people.read().count) ?? 0)
        manifest.secrets =
            SecretReferences(
                try SecretsFolder(request.folder).list().entries.map(\.name), in: configurationText
            ).texts
    }

    /// Deletions that the journal has for other sinks are gone with it, so that a restored gateway must
    /// forward all again: then the place up to which they are forwarded is left out.
    private func isLeftOut(_ name: String) -> Bool {
        name == DataFiles.deletions && request.waiting.contains { $0.value > 0 }
    }

    private var configurationText: String? {
        guard
            case .bytes(let bytes)? = members.first(where: { $0.member == .configuration })?.source
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func addSmall(_ member: BackupMember, at path: String) throws(HostError) {
        guard let file = try OpenedFile(path) else { return }
        guard file.size <= BackupMember.smallLimit else {
            throw HostError(.failure, "cannot back up \(path): larger than 1 MiB")
        }
        var bytes: [UInt8] = []
        try file.read { bytes += $0 }
        members.append((member, .bytes(bytes)))
    }

    private mutating func copyStore() throws(HostError) {
        guard let store = request.store, Folder.exists(store) else { return }
        let copy = try StoreCopy(of: store, at: request.draft) { (done, all) throws(HostError) in
            try report(.copying, done, all)
        }
        guard let file = try OpenedFile(copy.path) else { return }
        // From here on a kill leaves nothing of it.
        copy.removeNames()
        manifest.schema = copy.schema
        manifest.records = copy.records
        members.append((.store, .file(file)))
    }

    private mutating func writeArchive(
        _ write: @escaping ([UInt8]) throws(HostError) -> Void
    ) throws(HostError) {
        members.insert((.manifest, .bytes(manifest.bytes)), at: 0)
        let all = members.reduce(0) { $0 + $1.source.size }
        var done: Int64 = 0
        var list = ChecksumList()
        for (member, source) in members {
            let checksum = try source.checksum { (count) throws(HostError) in
                done += Int64(count)
                try report(.summing, done, all)
            }
            list.entries.append(ChecksumList.Entry(name: member.name, checksum: checksum))
        }
        members.insert((.checksums, .bytes(Array(list.text.utf8))), at: 0)
        done = 0
        let seconds = request.time.nanosecondsSince1970 / 1_000_000_000
        let archive = ArchiveWriter(time: seconds, write: write)
        for (member, source) in members {
            try archive.add(member.name, source) { (count) throws(HostError) in
                done += Int64(count)
                try report(.writing, done, all)
            }
        }
        try archive.finish()
    }
}
