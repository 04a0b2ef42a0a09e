package import GatewayHost
import Glibc
package import HealthStore

/// A file with an anchor.
package struct AnchorFile: Sendable {
    /// An anchor is a line; a larger file is another one.
    private static let limit = 1_024

    private let path: String

    /// Names the file.
    package init(_ path: String) {
        self.path = path
    }

    /// Reads the anchor; nil when there is no file.
    ///
    /// - Throws: ``HostError`` when the file cannot be read or has something else, or cannot be made.
    package func anchor() throws(HostError) -> StoreAnchor? {
        guard access(path, F_OK) == 0 || errno != ENOENT else {
            // It is written after the first page only.
            guard !path.isEmpty else { throw .system("write", "\"\"", errno: ENOENT) }
            guard access(folder, W_OK) == 0 else { throw .system("write", path, errno: errno) }
            return nil
        }
        let bytes = try BinaryFile.read(path, limit: Self.limit)
        let text = String(decoding: bytes, as: UTF8.self)
        guard let anchor = StoreAnchor(String(text.prefix { !$0.isNewline })) else {
            throw HostError(
                .configuration,
                "\(path): not an anchor; remove the file to read all records again")
        }
        return anchor
    }

    /// The folder of the file, or of the file to which a symbolic link leads.
    private var folder: String {
        let target = OutputFile.resolved(path) ?? path
        return target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
    }

    /// Replaces the anchor.
    func keep(_ anchor: StoreAnchor) throws(HostError) {
        try OutputFile.write(Array("\(anchor)\n".utf8), to: path)
    }
}
