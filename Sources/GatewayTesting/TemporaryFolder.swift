import Foundation

/// A temporary folder, removed with the last reference.
public final class TemporaryFolder: Sendable {
    /// The folder's absolute path.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        path = NSTemporaryDirectory() + "pulsegate-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of an item in the folder.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Makes a subfolder and returns its path.
    @discardableResult
    public func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Removes an item in the folder.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    /// The permission bits of all items, by path inside the folder.
    public func permissions() throws -> [String: Int] {
        var permissions: [String: Int] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
            permissions[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        return permissions
    }
}
