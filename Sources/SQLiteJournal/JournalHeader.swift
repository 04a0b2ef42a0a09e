import Glibc

/// Checks and rebuilds the database header, the first 100 bytes of a journal file.
///
/// All fields are constant or derived from the file (SQLite's "Database File Format", §1.3), except
/// the list of free pages, which a reader does not need.
enum JournalHeader {
    static let length = 100
    /// The page sizes of all versions of the journal.
    static let pageSizes = [JournalSchema.pageSize, 4_096]
    /// The type of the schema page after the header: a table leaf or a table interior page.
    private static let schemaPageKinds: Set<UInt8> = [0x0D, 0x05]
    private static let copyBytes = 1 << 20

    /// Whether the header of a journal is valid.
    ///
    /// It opens and closes the file, which releases the locks of this process: do not call it while
    /// a connection is open. A file of another program, or one without a header, is not checked.
    static func isValid(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: length)
        guard pread(file, &bytes, length, 0) == length else { return true }
        let mark = withUnsafeBytes(of: JournalSchema.applicationID.bigEndian) { Array($0) }
        guard Array(bytes[68..<72]) == mark else { return true }
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        return bytes.starts(with: magic) && pageSizes.contains(pageSize)
            && (1...2).contains(bytes[18]) && (1...2).contains(bytes[19])
            && Array(bytes[20..<24]) == fixed && Array(bytes[44..<48]) == [0, 0, 0, 4]
            && Array(bytes[56..<60]) == [0, 0, 0, 1]
    }

    private static let magic = Array("SQLite format 3\0".utf8)
    /// No reserved bytes, and the constant payload fractions.
    private static let fixed: [UInt8] = [0, 64, 32, 32]

    /// Copies a file with a rebuilt header for a page size; false when the file does not match it.
    static func copy(_ source: String, to target: String, pageSize: Int) -> Bool {
        let input = open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard input >= 0 else { return false }
        defer { close(input) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC
        let output = open(target, flags, 0o600)
        guard output >= 0 else { return false }
        defer { close(output) }
        var status = stat()
        guard fstat(input, &status) == 0, status.st_size >= pageSize else { return false }
        var kind: UInt8 = 0
        guard pread(input, &kind, 1, off_t(length)) == 1, schemaPageKinds.contains(kind)
        else { return false }
        return copyContent(input, output)
            && write(header(pageSize: pageSize, pages: Int(status.st_size) / pageSize), to: output)
    }

    private static func copyContent(_ input: Int32, _ output: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: copyBytes)
        var offset: off_t = 0
        while true {
            let count = pread(input, &buffer, buffer.count, offset)
            if count == 0 { return true }
            guard count > 0, pwrite(output, buffer, count, offset) == count else { return false }
            offset += off_t(count)
        }
    }

    private static func write(_ header: [UInt8], to output: Int32) -> Bool {
        pwrite(output, header, header.count, 0) == header.count
    }

    /// Makes a header that is sufficient for reading the tables of a journal.
    private static func header(pageSize: Int, pages: Int) -> [UInt8] {
        var header = magic
        header += [UInt8(pageSize >> 8), UInt8(pageSize & 0xff)]
        // Read and write version 2: write-ahead log.
        header += [2, 2] + fixed
        let numbers: [UInt32] = [
            1, UInt32(truncatingIfNeeded: pages), 0, 0, 1, 4, 0, 0, 1,
            UInt32(JournalSchema.steps.count), 0, UInt32(JournalSchema.applicationID),
            0, 0, 0, 0, 0, 1, 3_040_000,
        ]
        for number in numbers {
            withUnsafeBytes(of: number.bigEndian) { header += $0 }
        }
        return header
    }
}
