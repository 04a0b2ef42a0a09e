package import GatewayCore
import Glibc
package import HealthModel
package import Platform

/// Entries that have a file in the data directory, which commands read and change.
package protocol FileEntry: PersistedEntry {
    /// The file's name, and that of what will be the file as soon as it is whole.
    static var fileNames: (file: String, draft: String) { get }
    /// What to do when the file cannot be read.
    static var remedy: String { get }
    /// What to do when there is too much for a file.
    static var tooLarge: String { get }
}

/// The file that says which devices are the user's own.
package typealias AdoptedDevicesFile = PersistedFile<AdoptedDevice>
/// The file that says what is known of people.
package typealias PeopleFile = PersistedFile<Person>

extension AdoptedDevice: FileEntry {
    package static let fileNames = (file: DataFiles.adopted, draft: DataFiles.adoptedDraft)
    package static let remedy = "mend it there, or remove the file and adopt the devices again"
    package static let tooLarge =
        "forget devices that are not used any more, or give shorter settings"
}

extension Person: FileEntry {
    package static let fileNames = (file: DataFiles.people, draft: DataFiles.peopleDraft)
    package static let remedy = "mend it there, or remove the file and set the people again"
    package static let tooLarge = "there are too many people"
}

/// A small file in the data directory that commands read and change.
package struct PersistedFile<Entry: FileEntry> {
    package typealias Content = PersistedEntries<Entry>

    /// How long the folder's lock may take, in seconds: nobody has it for longer than a write takes.
    private static var lockSeconds: Double { 5 }

    package let folder: DataDirectory
    package let types: QuantityTypes
    private let clock: any BootClock

    /// Creates a value from its parts.
    package init(
        folder: DataDirectory, types: QuantityTypes, clock: any BootClock = SystemClock()
    ) {
        self.folder = folder
        self.types = types
        self.clock = clock
    }

    /// Where the file is.
    package var path: String { folder.resolve(Entry.fileNames.file) }

    /// What the file says; nothing is kept when there is none.
    package func read() throws(HostError) -> Content {
        guard let text = try TextFile.read(path) else { return Content() }
        do {
            return try Content(json: text, types: types)
        } catch {
            throw failure(error)
        }
    }

    /// Something in the file is wrong.
    package func failure(_ error: ConfigurationError) -> HostError {
        HostError(.configuration, "\(path): \(error); \(Entry.remedy)")
    }

    /// Changes what the file says.
    ///
    /// Whoever else wants to change it waits meanwhile, so that no change is lost. A file that cannot be
    /// read is left as it is; of one that is a link the target is changed.
    package func change<Result>(
        _ change: (inout Content) throws(HostError) -> Result
    ) async throws(HostError) -> Result {
        let target = try TextFile.followingLinks(path)
        let lock = try await lock(TextFile.folder(of: target))
        defer { withExtendedLifetime(lock) {} }
        let old = try read()
        var new = old
        let result = try change(&new)
        if new != old { try write(new, to: target) }
        return result
    }

    /// Locks the folder of the file, which stays the same while the file is replaced.
    private func lock(_ place: String) async throws(HostError) -> FileLock {
        let opened = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw .system("open", place, errno: errno) }
        let lock = FileLock(owning: opened, .flock)
        let deadline = clock.now().adding(seconds: Self.lockSeconds)
        guard await lock.lock(until: deadline, on: clock) else {
            throw HostError(
                .failure, "another program keeps \(place) locked; try again when it has ended")
        }
        return lock
    }

    private func write(
        _ content: Content, to target: String
    ) throws(HostError) {
        let text = content.json
        guard (try? Content(json: text, types: types)) == content else {
            throw HostError(
                .failure,
                "\(path) would be too large to be read; \(Entry.tooLarge)")
        }
        let draft = target == path ? folder.resolve(Entry.fileNames.draft) : "\(target).new"
        try TextFile.replace(target, draft: draft, with: text)
    }
}

extension AdoptedDevicesFile {
    /// The file in a data directory; no type stands in it.
    package init(folder: DataDirectory, clock: any BootClock = SystemClock()) {
        self.init(folder: folder, types: .standard, clock: clock)
    }
}
