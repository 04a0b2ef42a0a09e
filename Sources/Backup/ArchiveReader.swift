/// Where the bytes of an archive come from.
protocol ArchiveInput {
    /// Reads up to a number of bytes; none at the end.
    mutating func read(upTo count: Int) throws(BackupError) -> [UInt8]
}

/// Reads the files of a tar archive one after the other, piece by piece.
struct ArchiveReader<Input: ArchiveInput> {
    /// The size of a piece, which bounds the memory.
    static var pieceSize: Int { 1 << 20 }

    private var input: Input
    /// The number of bytes of the present file that were not read yet.
    private var left: Int64 = 0
    private var padding = 0

    init(_ input: Input) {
        self.input = input
    }

    /// Goes to the next file; nil at the end of the archive.
    ///
    /// The present file must have been read.
    mutating func next() throws(BackupError) -> TarHeader? {
        _ = try read(padding)
        guard let header = try TarHeader(try read(TarHeader.blockSize)[...]) else {
            guard try read(TarHeader.blockSize).allSatisfy({ $0 == 0 }) else {
                throw .damaged("its end is not empty")
            }
            return nil
        }
        left = header.size
        padding = TarHeader.padding(after: header.size)
        return header
    }

    /// Reads the next piece of the present file; nil at its end.
    mutating func nextPiece() throws(BackupError) -> [UInt8]? {
        guard left > 0 else { return nil }
        let piece = try input.read(upTo: Int(min(left, Int64(Self.pieceSize))))
        guard !piece.isEmpty else { throw .truncated }
        left -= Int64(piece.count)
        return piece
    }

    private mutating func read(_ count: Int) throws(BackupError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let part = try input.read(upTo: count - bytes.count)
            guard !part.isEmpty else { throw .truncated }
            bytes += part
        }
        return bytes
    }
}
