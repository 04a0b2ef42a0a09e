package import GatewayHost
import Platform

/// The files that a backup is made of, and all others of the data directory: none is replaced by the backup.
package struct BackedUpFiles {
    /// The files that SQLite has beside a store.
    private static let storeSuffixes = ["", "-wal", "-shm", "-journal"]

    package let folder: DataDirectory
    /// The files that can be outside of the data directory.
    private let others: [String]

    /// Describes the files of a backup.
    package init(in folder: DataDirectory, store: String?, configuration: String?) {
        self.folder = folder
        others =
            [configuration].compactMap(\.self)
            + (store.map { store in Self.storeSuffixes.map { store + $0 } } ?? [])
    }

    /// Refuses to write a backup to one of the files, or to a new one in the data directory.
    ///
    /// - Parameters:
    ///   - target: The path; the target of a link.
    ///   - name: The path as the user gave it, for the message.
    package func refuse(_ target: String, named name: String) throws(HostError) {
        guard isInFolder(target) || others.contains(where: { Self.isSame($0, target) }) else {
            return
        }
        throw HostError(
            .failure,
            "\(name) is part of what is backed up; choose a file outside of the data directory "
                + folder.path)
    }

    /// Folders are compared as files are: one can be mounted in two places.
    private func isInFolder(_ target: String) -> Bool {
        var place = Folder.canonical(target)
        while place != "/", place.hasPrefix("/") {
            if Self.isSame(place, folder.path) { return true }
            place = TextFile.folder(of: place)
        }
        return false
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        if let identity = FileIdentity(path: one), identity == FileIdentity(path: other) {
            return true
        }
        return Folder.canonical(one) == Folder.canonical(other)
    }
}
