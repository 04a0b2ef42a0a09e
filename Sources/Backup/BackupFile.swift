package import GatewayHost
import Glibc
import Platform

/// A backup that was read to its end and found to be what was written.
package struct VerifiedBackup {
    /// What it is of.
    package let manifest: BackupManifest
    /// The text of the configuration; nil when the backup has none.
    package let configuration: [UInt8]?
    /// The files after the manifest.
    let members: Set<BackupMember>

    /// Whether it has a store.
    package var hasStore: Bool { members.contains(.store) }
}

/// The file of a backup.
///
/// It stays open, so that what is restored is what was verified, also when the name gets another file.
package final class BackupFile {
    /// Gets the number of bytes that were read, and that of all; an error that it throws ends the reading.
    package typealias Report = (Int64, Int64) throws(HostError) -> Void

    private let path: String
    private let descriptor: Int32
    private let size: Int64

    /// Opens a file.
    package init(_ path: String) throws(HostError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system("read", path, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HostError(.failure, "cannot read \(path): not a regular file")
        }
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads and verifies everything.
    package func verify(report: Report) throws(HostError) -> VerifiedBackup {
        var configuration: [UInt8]?
        var members: Set<BackupMember> = []
        let manifest = try read(report) { (member, part) throws(HostError) in
            members.insert(member)
            guard member == .configuration, case .piece(let bytes) = part else { return }
            configuration = (configuration ?? []) + bytes
        }
        return VerifiedBackup(manifest: manifest, configuration: configuration, members: members)
    }

    /// A part of a file in the backup, in this order.
    enum Part {
        case begin
        case piece([UInt8])
        /// The file is what was written.
        case end
    }

    /// Reads the files after the manifest, which is returned.
    @discardableResult
    func read(
        _ report: Report, _ receive: (BackupMember, Part) throws(HostError) -> Void
    ) throws(HostError) -> BackupManifest {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system("read", path, errno: errno) }
        var done: Int64 = 0
        var contents = try checked { () throws(BackupError) in
            try BackupContents(BackupInput(descriptor))
        }
        while true {
            let next = try checked { () throws(BackupError) in try contents.nextMember() }
            guard let (member, _) = next else { return contents.manifest }
            try receive(member, .begin)
            while let piece = try checked({ () throws(BackupError) in try contents.nextPiece() }) {
                try receive(member, .piece(piece))
                done += Int64(piece.count)
                try report(done, size)
            }
            try receive(member, .end)
        }
    }

    private func checked<Value>(
        _ body: () throws(BackupError) -> Value
    ) throws(HostError) -> Value {
        do throws(BackupError) {
            return try body()
        } catch {
            throw HostError(.failure, "\(path) \(error)")
        }
    }
}
