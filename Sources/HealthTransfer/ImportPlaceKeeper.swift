import GatewayHost
import GatewayJournal
import Glibc
import HealthModel
import Platform
import Readings
import SQLiteStore

/// Keeps the place of one import while it runs, every few seconds, and finds that of an earlier one.
struct ImportPlaceKeeper {
    private static let pauseNanoseconds: Int64 = 2_000_000_000
    /// The first place is kept early, since a short import never gets to the end of a pause.
    private static let firstNanoseconds: Int64 = 500_000_000

    private let places: ImportPlaces
    private let path: String
    private let person: String
    private let size: Int
    private let modified: Instant
    private var next: BootInstant

    init(
        _ places: ImportPlaces, path: String, person: String, _ pieces: FilePieces
    ) throws(HostError) {
        guard let resolved = realpath(path, nil) else { throw .system("read", path, errno: errno) }
        defer { free(resolved) }
        self.places = places
        self.path = String(cString: resolved)
        self.person = person
        size = pieces.size
        modified = pieces.modified
        next = places.clock.now().adding(nanoseconds: Self.firstNanoseconds)
    }

    /// The place at which an import of the same file for the same person was interrupted.
    func place() throws(HostError) -> ImportPlace? {
        guard let found = try places.place(of: path), found.size == size,
            found.modified == modified, found.person == person
        else { return nil }
        return found
    }

    /// Keeps a place, up to which all records are in a store.
    mutating func keep(_ place: FilePlace?, in store: SQLiteStore) async throws {
        let now = places.clock.now()
        guard let place, now >= next else { return }
        next = now.adding(nanoseconds: Self.pauseNanoseconds)
        try await places.set(
            ImportPlace(
                path: path, size: size, modified: modified, person: person, place: place,
                anchor: try await store.newestAnchor(),
                at: places.clock.epoch().instant(at: now)),
            of: path)
    }

    /// Forgets the place of an import that is complete.
    func end() async throws(HostError) { try await places.set(nil, of: path) }
}
