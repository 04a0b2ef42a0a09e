/// The checksums of the files in a backup, in the format of `sha256sum`.
struct ChecksumList: Equatable {
    /// A file, and the 64 hexadecimal digits of its checksum.
    struct Entry: Equatable {
        let name: String
        let checksum: String
    }

    /// A backup has few files: an import that was interrupted has one each.
    static let limit = 10_000
    private static let digits = 64

    /// The files, in the order of the archive.
    var entries: [Entry] = []

    /// The text: a line for each file.
    var text: String {
        entries.map { "\($0.checksum)  \($0.name)\n" }.joined()
    }

    init() {}

    /// Reads the text, in which the manifest is the first file.
    init(_ bytes: [UInt8]) throws(BackupError) {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else {
            throw Self.damaged
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard lines.count <= Self.limit else { throw Self.damaged }
        var names: Set<String> = []
        for line in lines {
            let checksum = line.prefix(Self.digits)
            guard checksum.utf8.count == Self.digits, checksum.allSatisfy(Self.isDigit),
                line.dropFirst(Self.digits).hasPrefix("  ")
            else { throw Self.damaged }
            let name = String(line.dropFirst(Self.digits + 2))
            guard names.insert(name).inserted else { throw Self.damaged }
            entries.append(Entry(name: name, checksum: String(checksum)))
        }
        guard entries.first?.name == BackupMember.manifest.name else { throw Self.damaged }
    }

    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character) || ("a"..."f").contains(character)
    }

    private static var damaged: BackupError {
        .damaged("\(BackupMember.checksums.name) cannot be read")
    }
}
