import HealthModel

/// The value of `Idempotency-Key`: a hash of the request body.
///
/// The hash is formatted as a UUID of version 8 (RFC 9562, section 5.8) in quotation marks
/// (draft-ietf-httpapi-idempotency-key-header, section 2.1).
enum IdempotencyKey {
    static func text(of body: [UInt8]) -> String {
        let hash = BodyHash(of: body)
        var bytes = withUnsafeBytes(of: (hash.left.bigEndian, hash.right.bigEndian)) { Array($0) }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return RecordID(bytes: bytes).map { "\"\($0)\"" } ?? ""
    }
}
