import Foundation

/// A folder of its own for one test; it is removed with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "pulsegate-e2e-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the folder.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and answers with its path.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Makes a folder inside and answers with its path.
    @discardableResult
    func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// The permission bits of everything below, by its path inside the folder.
    func permissions() throws -> [String: Int] {
        var permissions: [String: Int] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
            permissions[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        return permissions
    }
}
