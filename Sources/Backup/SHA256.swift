import CSHA256

/// A SHA-256 checksum (FIPS 180-4) that is calculated piece by piece.
struct SHA256 {
    private var hash = csha256()

    init() { csha256_begin(&hash) }

    /// Continues with more bytes.
    mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { csha256_update(&hash, $0.baseAddress, $0.count) }
    }

    /// The checksum as 64 lowercase hexadecimal digits; nothing can be added then.
    mutating func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        csha256_end(&hash, &digest)
        return digest.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0\(digits)" : digits
        }.joined()
    }

    /// The checksum of bytes.
    static func hex(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}
