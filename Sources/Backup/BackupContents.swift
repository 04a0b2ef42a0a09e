/// The files of a backup, verified while they are read.
///
/// The first file has the checksums of all others, so that each is known to be what was written when its
/// last piece is read. Files come in the order of that list.
struct BackupContents<Input: ArchiveInput> {
    private var archive: ArchiveReader<Input>
    private var expected: ArraySlice<ChecksumList.Entry> = []
    private var hash = SHA256()
    private var checksum = ""
    private var name = ""
    /// What the backup is of.
    private(set) var manifest = BackupManifest()

    /// Reads the checksums and the manifest.
    init(_ input: Input) throws(BackupError) {
        archive = ArchiveReader(input)
        guard let size = try firstSize(), size <= BackupMember.smallLimit else { throw .foreign }
        var text: [UInt8] = []
        while let piece = try archive.nextPiece() { text += piece }
        let list = try ChecksumList(text)
        expected = list.entries[...]
        _ = try nextMember()
        manifest = try BackupManifest(try nextSmallMember())
        // A later format may have others, and the manifest says so.
        for entry in expected where BackupMember(name: entry.name) == nil {
            throw .unknownMember(entry.name)
        }
    }

    /// The size of the checksums; nil for another file.
    private mutating func firstSize() throws(BackupError) -> Int64? {
        do throws(BackupError) {
            let header = try archive.next()
            return header?.name == BackupMember.checksums.name ? header?.size : nil
        } catch {
            guard case .unreadable = error else { return nil }
            throw error
        }
    }

    /// Goes to the next file, when the present one is read; nil at the end of the backup.
    mutating func nextMember() throws(BackupError) -> (member: BackupMember, size: Int64)? {
        guard let header = try nextHeader() else {
            guard let missing = expected.first else { return nil }
            throw .damaged("\(missing.name) is missing")
        }
        guard let member = BackupMember(name: header.name) else {
            throw .unknownMember(header.name)
        }
        guard let next = expected.first, next.name == header.name else {
            throw .damaged("\(header.name) is not where the checksums expect it")
        }
        guard !member.isSmall || header.size <= BackupMember.smallLimit else {
            throw .damaged("\(header.name) is too large")
        }
        expected = expected.dropFirst()
        (hash, checksum, name) = (SHA256(), next.checksum, header.name)
        return (member, header.size)
    }

    /// A damaged header in the middle is damage; at the beginning it is a foreign file.
    private mutating func nextHeader() throws(BackupError) -> TarHeader? {
        do throws(BackupError) {
            return try archive.next()
        } catch {
            guard error == .foreign else { throw error }
            throw .damaged("what follows \(name.isEmpty ? "the manifest" : name) is no file")
        }
    }

    /// Reads the next piece of the present file; nil at its end.
    ///
    /// - Throws: `damaged` at the end of a file that has another checksum.
    mutating func nextPiece() throws(BackupError) -> [UInt8]? {
        if let piece = try archive.nextPiece() {
            hash.update(piece)
            return piece
        }
        guard hash.finish() == checksum else { throw .damaged("\(name) has another checksum") }
        return nil
    }

    /// Reads all of the present file, which is small.
    mutating func nextSmallMember() throws(BackupError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try nextPiece() { bytes += piece }
        return bytes
    }
}
