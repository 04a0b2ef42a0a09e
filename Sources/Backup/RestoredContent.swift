import GatewayHost
import HealthModel
import SQLiteStore

/// What the next start of a gateway reads of the restored files, so that it does not fail then.
struct RestoredContent {
    /// The folder of the small files.
    let folder: DataDirectory
    let types: QuantityTypes
    /// The path of the store; nil without one.
    let store: String?

    /// Reads it.
    func check() throws(HostError) {
        do {
            _ = try AdoptedDevicesFile(folder: folder).read()
            _ = try PeopleFile(folder: folder, types: types).read()
            _ = try AccessFile(folder: folder, types: types).read()
            if let store { _ = try SQLiteStore(readingFrom: store) }
        } catch {
            throw Self.unusable("\(error)")
        }
    }

    static func unusable(_ reason: String) -> HostError {
        HostError(.failure, "the backup cannot be used by this version: \(reason)")
    }
}
