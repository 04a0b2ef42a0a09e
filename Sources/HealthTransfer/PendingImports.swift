import GatewayCore
package import GatewayHost
import Glibc
import HealthModel
import JSON
package import Platform

/// Imports of workouts that have begun: copies of their files in the data directory, and a lock.
///
/// A workout is delivered in parts. When an import is interrupted between two of them, the next import
/// or gateway completes it from the copy. One import at a time recognises which workouts are in the
/// store and stores its own.
package struct PendingImports: Sendable {
    /// The timeout for other imports, in seconds.
    private static let lockSeconds = 600.0
    /// The timeout for an import that was killed, whose process may not have ended yet, in seconds.
    private static let endSeconds = 2.0
    private static let suffix = ".import"
    /// The maximum length of the first line of a copy: a path, a name and what JSON adds.
    private static let maximumHeadCount = 32_768

    private let folder: String
    private let lock: FileLock

    /// Waits until no other import is in progress.
    package init(
        in directory: DataDirectory, clock: any BootClock
    ) async throws(HostError) {
        try directory.create()
        folder = directory.resolve(DataFiles.pendingImports)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system("create", folder, errno: errno)
        }
        lock = try Self.open(folder)
        guard await Self.hold(lock, seconds: Self.lockSeconds, clock) else {
            throw HostError(
                .failure, "another import is in progress; import the file again later", cause: .busy
            )
        }
    }

    /// Locks the imports; nil when none was ever begun, or another one is in progress.
    package init?(
        ifFreeIn directory: DataDirectory, clock: any BootClock
    ) async throws(HostError) {
        folder = directory.resolve(DataFiles.pendingImports)
        guard Folder.exists(folder) else { return nil }
        lock = try Self.open(folder)
        guard await Self.hold(lock, seconds: Self.endSeconds, clock) else { return nil }
    }

    private static func hold(
        _ lock: FileLock, seconds: Double, _ clock: any BootClock
    ) async -> Bool {
        // A file system without locks has no other import either.
        if lock.lockUnlessHeld() { return true }
        return await lock.lock(until: clock.now().adding(seconds: seconds), on: clock)
    }

    private static func open(_ folder: String) throws(HostError) -> FileLock {
        let opened = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { throw .system("open", folder, errno: errno) }
        return FileLock(owning: opened, .flock)
    }

    /// The imports that were interrupted; removes copies that are not complete.
    package func interrupted() throws(HostError) -> [WorkoutImportFile] {
        var files: [WorkoutImportFile] = []
        for name in try Folder.names(in: folder) {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(Self.suffix), let file = try Self.file(ofCopy: path) {
                files.append(file)
            } else {
                unlink(path)
            }
        }
        return files
    }

    /// Copies a file, before its first record is delivered.
    package func begin(_ file: WorkoutImportFile) throws(HostError) -> WorkoutImportFile {
        let id = RecordID.make(
            start: Instant(nanosecondsSince1970: 0), device: file.path, stream: file.person, key: 0)
        let path = "\(folder)/\(id)\(Self.suffix)"
        let head = Self.head(of: file)
        let pieces = try file.pieces()
        let copy = try OutputFile(path)
        try copy.write(head)
        while !pieces.isAtEnd { try copy.write(try pieces.next()) }
        try copy.commit()
        return WorkoutImportFile(
            name: file.path, person: file.person, path: file.path, copy: path, offset: head.count)
    }

    /// Removes the copy of an import that is complete, or is given up.
    package func end(_ file: WorkoutImportFile) {
        guard let copy = file.copy else { return }
        unlink(copy)
        SystemCall.syncDirectory(of: copy)
    }

    // MARK: The first line of a copy

    private static func head(of file: WorkoutImportFile) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("path", file.path)
            json.field("person", file.person)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Nil for a copy whose first line cannot be read.
    private static func file(ofCopy path: String) throws(HostError) -> WorkoutImportFile? {
        let start = try FilePieces(path, pieceSize: maximumHeadCount).next()
        guard let end = start.firstIndex(of: UInt8(ascii: "\n")),
            let node = try? ConfigurationNode(
                json5: String(decoding: start[..<end], as: UTF8.self)),
            let object = try? node.object(keys: ["path", "person"]),
            let name = try? object.require("path").string(),
            let person = try? object.require("person").string()
        else { return nil }
        return WorkoutImportFile(
            name: name, person: person, path: name, copy: path, offset: end + 1)
    }
}
