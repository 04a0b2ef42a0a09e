package import GatewayCore
package import GatewayHost
import Glibc
import HealthModel
import HealthStore
package import JSON
import Platform

/// The place at which the import of a file was interrupted.
package struct ImportPlace: Hashable, Sendable {
    /// The absolute path of the file.
    let path: String
    /// The size and the time of change of the file: another file of this path starts anew.
    let size: Int
    let modified: Instant
    let person: String
    let place: FilePlace
    /// The state of the store then; nil in a file of an earlier version.
    let anchor: StoreAnchor?
    /// When the import was there.
    let at: Instant
}

/// The file of the places in the data directory.
package struct ImportPlaces: Sendable {
    /// The maximum number of places; the oldest one is forgotten.
    static let maximumCount = 32

    private let file: PersistedFile<ImportPlace>
    /// The folder of files that clients send.
    private let uploads: String
    let clock: any GatewayClock

    /// The file of a data directory, which need not exist yet.
    package init(folder: DataDirectory, clock: any GatewayClock) {
        file = PersistedFile(folder: folder, types: .standard, clock: clock)
        // The paths of files have their links resolved.
        let resolved = realpath(folder.path, nil)
        defer { free(resolved) }
        let path = resolved.map { String(cString: $0) } ?? folder.path
        uploads = DataDirectory(path: path).resolve(DataFiles.uploads) + "/"
        self.clock = clock
    }

    /// The place of a file; nil when there is none.
    func place(of path: String) throws(HostError) -> ImportPlace? { try file.read()[path] }

    /// Forgets the places of files that clients have sent, which are gone with the gateway.
    package func removeUploads() async throws(HostError) { try await removeAll(isUpload) }

    /// Whether a file is removed when its import ends, however it ends: a place in it is of no use.
    private func isUpload(_ path: String) -> Bool { path.hasPrefix(uploads) }

    /// Forgets all places, before records are deleted: imports start from the beginning then, because
    /// what they have stored may be gone.
    package func removeAll() async throws(HostError) { try await removeAll { _ in true } }

    private func removeAll(_ isRemoved: (String) -> Bool) async throws(HostError) {
        let paths = try file.read().entries.map(\.path).filter(isRemoved)
        guard !paths.isEmpty else { return }
        try await file.change { (entries) throws(HostError) in
            for path in paths { entries.remove(path) }
        }
    }

    /// Replaces or removes the place of a file.
    func set(_ place: ImportPlace?, of path: String) async throws(HostError) {
        guard !isUpload(path) else { return }
        if place == nil, try self.place(of: path) == nil { return }
        try await file.change { (entries) throws(HostError) in
            entries.remove(path)
            guard let place else { return }
            entries.insert(place)
            while entries.count > Self.maximumCount,
                let oldest = entries.entries.min(by: { $0.at < $1.at })
            {
                entries.remove(oldest.path)
            }
        }
    }
}

extension ImportPlace: FileEntry {
    package static let words = (one: "import", several: "imports")
    package static let fileNames = (file: DataFiles.imports, draft: DataFiles.importsDraft)
    package static let remedy = "remove the file; imports then start from the beginning"
    package static let tooLarge = "remove the file; imports then start from the beginning"

    package var persistedKey: String { path }

    package var persistedValue: JSONValue {
        .object(
            [
                "size": .number(Double(size)), "modified": .string("\(modified)"),
                "person": .string(person), "head": .number(Double(place.headCount)),
                "offset": .number(Double(place.offset)), "line": .number(Double(place.line)),
                "at": .string("\(at)"),
            ].merging(anchor.map { ["store": .string("\($0)")] } ?? [:]) { $1 })
    }

    package static func read(
        _ key: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> ImportPlace {
        let object = try node.object(
            keys: ["size", "modified", "person", "head", "offset", "line", "store", "at"])
        func count(_ key: String) throws(ConfigurationError) -> Int {
            let node = try object.require(key)
            guard let count = Int(exactly: try node.number()), count >= 0 else {
                throw node.error("must be a whole number")
            }
            return count
        }
        func time(_ key: String) throws(ConfigurationError) -> Instant {
            let node = try object.require(key)
            guard let time = Instant(iso8601: try node.string()) else {
                throw node.error("must be a time")
            }
            return time
        }
        let place = FilePlace(
            headCount: try count("head"), offset: try count("offset"), line: try count("line"))
        let size = try count("size")
        guard place.headCount <= place.offset, place.offset <= size else {
            throw node.error("the place is not in the file")
        }
        return ImportPlace(
            path: key, size: size, modified: try time("modified"),
            person: try object.require("person").string(), place: place,
            anchor: try object["store"].flatMap { (node) throws(ConfigurationError) in
                StoreAnchor(try node.string())
            }, at: try time("at"))
    }
}
