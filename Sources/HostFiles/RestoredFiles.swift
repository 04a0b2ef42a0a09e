import GatewayCore
import Glibc
import JSON
import Platform

/// The files of a restore: they wait beside their places until all are complete, and then take them.
///
/// A folder with the list of the renames gets its final name in one step, after everything is on the disk.
/// Before this step nothing is restored; after it everything is, because whoever finds the folder does the
/// renames that are left. A data directory can be one that this user cannot replace, such as
/// `/var/lib/pulsegate`, so that renaming a folder to it is not enough.
package struct RestoredFiles {
    /// A file that waits, and its place.
    package struct Move: Equatable, Sendable {
        let source: String
        let target: String

        /// Makes a move; the two paths are absolute and in one file system.
        package init(from source: String, to target: String) {
            (self.source, self.target) = (source, target)
        }
    }

    private static let listName = "moves.json"

    private let folder: DataDirectory
    /// The folder of the files that are being written.
    package var draft: String { folder.resolve(DataFiles.restoreDraft) }
    private var complete: String { folder.resolve(DataFiles.restoreComplete) }

    /// Describes the restore in a data directory.
    package init(in folder: DataDirectory) {
        self.folder = folder
    }

    /// Makes the empty folder of the drafts, in place of what an interrupted restore has left.
    package func begin() throws(HostError) {
        Folder.remove(draft)
        guard mkdir(draft, 0o700) == 0 else { throw .system("create", draft, errno: errno) }
    }

    /// Makes the restore complete: when it throws, it is not.
    ///
    /// ``finish()`` follows.
    package func commit(_ moves: [Move]) throws(HostError) {
        var json = JSONWriter()
        json.object { json in
            json.objects("moves", moves) { move, json in
                json.field("from", move.source)
                json.field("to", move.target)
            }
        }
        try OutputFile.write(json.bytes, to: "\(draft)/\(Self.listName)")
        for move in moves { SystemCall.syncDirectory(of: move.source) }
        guard rename(draft, complete) == 0 else { throw .system("write", complete, errno: errno) }
        SystemCall.syncDirectory(of: complete)
    }

    /// Does the renames of a complete restore that was interrupted; returns whether there was one.
    ///
    /// Nothing is done while a gateway, or the restore itself, uses the data directory.
    package func finishIfInterrupted() throws(HostError) -> Bool {
        guard Folder.exists(complete), let lock = try? DataDirectoryLock(folder) else {
            return false
        }
        defer { withExtendedLifetime(lock) {} }
        guard Folder.exists(complete) else { return false }
        try finish()
        return true
    }

    /// Does the renames that are left; when it throws, whoever comes next does them.
    package func finish() throws(HostError) {
        for move in try moves() where Folder.exists(move.source) {
            guard rename(move.source, move.target) == 0 else {
                throw .system(
                    "write", move.target, errno: errno,
                    remedy: "fix the problem, and run the command again to complete the restore")
            }
            SystemCall.syncDirectory(of: move.target)
        }
        Folder.remove(complete)
        SystemCall.syncDirectory(of: complete)
    }

    /// The renames; the paths of files in the folder are those before it was complete.
    private func moves() throws(HostError) -> [Move] {
        let path = "\(complete)/\(Self.listName)"
        do {
            let text = try TextFile.read(path) ?? ""
            let value = try JSONValue(json5: text)
            let fields = try DocumentFields(DocumentNode(path: "", value: value))
            return try fields.objects("moves") { (fields) throws(JSONError) in
                let source = try fields.text("from") ?? ""
                let isInside = source.hasPrefix("\(draft)/")
                return Move(
                    from: isInside ? complete + source.dropFirst(draft.count) : source,
                    to: try fields.text("to") ?? "")
            }
        } catch {
            throw HostError(
                .failure, "\(path): \(error); remove the folder, and restore the backup again")
        }
    }
}
