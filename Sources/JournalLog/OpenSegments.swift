import Platform

/// The open files of segments, newest first up to a limit.
///
/// A file that is open can be read when it was removed, and written again.
struct OpenSegments {
    /// The number of files that stay open.
    static let limit = 64

    private var files: [UInt64: SegmentFile] = [:]

    /// The file of a segment, opened when it is not; nil when there is none.
    mutating func file(of name: UInt64, in folder: LogFolder) throws(LogError) -> SegmentFile? {
        if let file = files[name] { return file }
        guard let file = try SegmentFile.open(LogFolder.name(of: name), in: folder) else {
            return nil
        }
        add(file, of: name)
        return file
    }

    /// Adds the file of a segment; when there are too many, the oldest one is let go.
    mutating func add(_ file: SegmentFile, of name: UInt64) {
        files[name] = file
        guard files.count > Self.limit, let oldest = files.keys.min() else { return }
        files[oldest] = nil
    }

    /// The file of a segment, when it is open.
    func openFile(of name: UInt64) -> SegmentFile? { files[name] }

    /// Lets a file go.
    mutating func remove(_ name: UInt64) { files[name] = nil }

    /// Whether every open file is at its path.
    func areInPlace(in folder: LogFolder) -> Bool {
        files.allSatisfy { name, file in file.isAt(LogFolder.name(of: name), in: folder) }
    }
}
