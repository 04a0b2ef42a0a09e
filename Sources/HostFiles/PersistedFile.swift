package import GatewayCore
import Glibc
package import HealthModel
package import Platform

/// An entry type that is stored in a file of the data directory.
package protocol FileEntry: PersistedEntry {
    /// The name of the file and of its temporary draft.
    static var fileNames: (file: String, draft: String) { get }
    /// The remedy when the file cannot be read.
    static var remedy: String { get }
    /// The remedy when the file would be too large.
    static var tooLarge: String { get }
}

/// The file of the adopted devices.
package typealias AdoptedDevicesFile = PersistedFile<AdoptedDevice>
/// The file of the people.
package typealias PeopleFile = PersistedFile<Person>

extension AdoptedDevice: FileEntry {
    package static let fileNames = (file: DataFiles.adopted, draft: DataFiles.adoptedDraft)
    package static let remedy = "fix it there, or remove the file and adopt the devices again"
    package static let tooLarge =
        "forget unused devices, or shorten their settings"
}

extension Person: FileEntry {
    package static let fileNames = (file: DataFiles.people, draft: DataFiles.peopleDraft)
    package static let remedy = "fix it there, or remove the file and add the people again"
    package static let tooLarge =
        "remove people that are not needed: `pulsegate people remove NAME`"
}

/// A small file of entries in the data directory that commands read and change.
package struct PersistedFile<Entry: FileEntry> {
    package typealias Content = PersistedEntries<Entry>

    package let folder: DataDirectory
    package let types: QuantityTypes
    private let clock: any BootClock

    /// Creates the file of a data directory, without reading it.
    package init(
        folder: DataDirectory, types: QuantityTypes, clock: any BootClock = SystemClock()
    ) {
        self.folder = folder
        self.types = types
        self.clock = clock
    }

    /// The path of the file.
    package var path: String { folder.resolve(Entry.fileNames.file) }

    /// Reads the entries; none if the file does not exist.
    package func read() throws(HostError) -> Content {
        let stored: String?
        do throws(HostError) { stored = try TextFile.read(path) } catch {
            throw folder.isOfAnotherUser ? folder.othersFiles : error
        }
        guard let text = stored else { return Content() }
        do {
            return try Content(json: text, types: types)
        } catch {
            throw failure(error)
        }
    }

    /// The error of a file that cannot be parsed.
    package func failure(_ error: ConfigurationError) -> HostError {
        HostError(.configuration, "\(path): \(error); \(Entry.remedy)")
    }

    /// Reads the entries, changes them and writes them back.
    ///
    /// Other writers wait meanwhile, so that no change is lost. A file that cannot be parsed stays
    /// unchanged; a symbolic link is followed.
    package func change<Result>(
        _ change: (inout Content) throws(HostError) -> Result
    ) async throws(HostError) -> Result {
        try folder.becomeOwner()
        let target = try TextFile.followingLinks(path)
        // The file itself is replaced by a rename.
        let lock = try await Folder.lock(TextFile.folder(of: target), clock: clock)
        defer { withExtendedLifetime(lock) {} }
        let old = try read()
        var new = old
        let result = try change(&new)
        if new != old { try write(new, to: target) }
        return result
    }

    private func write(
        _ content: Content, to target: String
    ) throws(HostError) {
        let text = content.json
        guard (try? Content(json: text, types: types)) == content else {
            throw HostError(
                .failure,
                "\(path) would exceed the size limit; \(Entry.tooLarge)")
        }
        let draft = target == path ? folder.resolve(Entry.fileNames.draft) : "\(target).new"
        try TextFile.replace(target, draft: draft, with: text)
    }
}

extension AdoptedDevicesFile {
    /// Creates the file of a data directory; its entries contain no types.
    package init(folder: DataDirectory, clock: any BootClock = SystemClock()) {
        self.init(folder: folder, types: .standard, clock: clock)
    }
}
