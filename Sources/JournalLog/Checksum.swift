import CJournalLog

/// The checksum of the log: CRC-32C (RFC 3720, §12.1), which finds every change within 32 bits.
enum Checksum {
    /// Calculates the checksum of bytes.
    static func crc32c(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        cjournallog_crc32c(0, bytes.baseAddress, bytes.count)
    }

    /// Calculates the checksum of a part of bytes; the range must be within them.
    ///
    /// - Parameter checksum: That of the bytes before them.
    static func crc32c(
        _ bytes: [UInt8], _ range: Range<Int>, after checksum: UInt32 = 0
    ) -> UInt32 {
        bytes.withUnsafeBytes {
            let part = UnsafeRawBufferPointer(rebasing: $0[range])
            return cjournallog_crc32c(checksum, part.baseAddress, part.count)
        }
    }
}
