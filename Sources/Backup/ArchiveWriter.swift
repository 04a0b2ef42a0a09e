import GatewayHost

/// Writes files into a tar archive one after the other.
struct ArchiveWriter {
    /// Writes the next bytes.
    typealias Write = ([UInt8]) throws(HostError) -> Void

    private let write: Write
    /// The time of all files, in seconds since 1970.
    private let time: Int64

    init(time: Int64, write: @escaping Write) {
        self.time = time
        self.write = write
    }

    /// Writes a file.
    ///
    /// - Parameter report: Gets the number of bytes of each piece.
    func add(
        _ name: String, _ content: BackupSource, report: (Int) throws(HostError) -> Void
    ) throws(HostError) {
        let size = content.size
        try write(TarHeader(name: name, size: size, time: time).bytes)
        try content.read { (piece) throws(HostError) in
            try write(piece)
            try report(piece.count)
        }
        try write([UInt8](repeating: 0, count: TarHeader.padding(after: size)))
    }

    /// Writes the end of the archive.
    func finish() throws(HostError) { try write(TarHeader.end) }
}
