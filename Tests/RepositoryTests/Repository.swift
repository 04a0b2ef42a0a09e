import Foundation

/// The files of this repository.
enum Repository {
    /// The folder of Package.swift.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Swift file.
    struct SourceFile {
        /// The path from the root.
        let path: String
        let lines: [Substring]

        /// The imported modules; an indented line is text in a literal.
        var imports: [String] {
            lines.filter { $0.first != " " }.compactMap { line in
                let words = line.split(separator: " ")
                guard let place = words.firstIndex(of: "import"), words.count > place + 1,
                    words[..<place].allSatisfy({ Self.importWords.contains($0) })
                else { return nil }
                return String(words[place + 1])
            }
        }

        private static let importWords: Set<Substring> = [
            "public", "package", "internal", "private", "@testable", "@preconcurrency",
            "@_exported",
        ]
    }

    /// The Swift files in a folder and its subfolders.
    static func swiftFiles(in folder: String) throws -> [SourceFile] {
        try paths(in: folder).filter { $0.hasSuffix(".swift") }.map { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            return SourceFile(
                path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// The paths of the files in a folder and its subfolders, from the root.
    static func paths(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .map { "\(folder)/\($0)" }.sorted()
    }

    /// The names of the folders in a folder.
    static func folders(in folder: String) throws -> [String] {
        let place = root.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: place.path).filter { name in
            var isFolder: ObjCBool = false
            let path = place.appending(path: name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && isFolder.boolValue
        }.sorted()
    }
}
