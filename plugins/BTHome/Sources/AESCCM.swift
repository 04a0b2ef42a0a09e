import CCrypto

/// AES-128 in the mode CCM (RFC 3610), by OpenSSL's libcrypto, which is loaded on first use.
struct AESCCM: Sendable {
    /// The length of a key in bytes.
    static let keyLength = 16
    private static let library = "libcrypto.so.3"

    /// The library's functions, with one table for all keys.
    private final class Functions: Sendable {
        // Unsafe only for the compiler: it is written once, by the initializer, and holds the
        // addresses of functions that any thread may call.
        nonisolated(unsafe) let table: UnsafePointer<ccrypto_functions>

        init(_ table: UnsafePointer<ccrypto_functions>) { self.table = table }

        deinit { table.deallocate() }
    }

    /// Why there is no cipher.
    struct Failure: Error {
        /// The problem with its remedy.
        let problem: String
    }

    private let functions: Functions
    private let key: [UInt8]

    /// Loads the library and makes a cipher with a key of ``keyLength`` bytes.
    init(key: [UInt8], library: String = Self.library) throws(Failure) {
        guard key.count == Self.keyLength else { throw Failure(problem: "must have 16 bytes") }
        let table = UnsafeMutablePointer<ccrypto_functions>.allocate(capacity: 1)
        functions = Functions(UnsafePointer(table))
        if let words = ccrypto_open(library, table) {
            throw Failure(
                problem: "\(library) cannot be loaded: \(String(cString: words)); "
                    + "install it: sudo apt-get install libssl3")
        }
        self.key = key
    }

    /// Decrypts a text; nil when the tag does not fit.
    func decrypt(_ text: [UInt8], nonce: [UInt8], tag: [UInt8]) -> [UInt8]? {
        guard !text.isEmpty else { return nil }
        var plain = [UInt8](repeating: 0, count: text.count)
        let isGood = ccrypto_decrypt_ccm(
            functions.table, key, nonce, Int32(nonce.count), text, Int32(text.count), tag,
            Int32(tag.count), &plain)
        return isGood == 1 ? plain : nil
    }
}
