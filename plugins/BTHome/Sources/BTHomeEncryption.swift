import ByteDecoding
import GatewayCore

/// The encryption of one BTHome device (BTHome v2, "Encryption").
struct BTHomeEncryption: Sendable {
    /// The result of a decryption.
    struct Packet: Hashable, Sendable {
        /// The objects.
        let objects: [UInt8]
        /// The counter of the packets.
        let counter: UInt32
        /// Whether it is the last packet again.
        let isRepetition: Bool
    }

    private static let counterLength = 4
    private static let tagLength = 4
    /// The service as it is sent.
    private static let service: [UInt8] = [0xD2, 0xFC]

    private let cipher: AESCCM
    private var counters = BTHomeCounters()
    /// The objects of the last packet.
    private var lastObjects: [UInt8] = []

    init(_ cipher: AESCCM) {
        self.cipher = cipher
    }

    /// Decrypts what follows the information byte and the address.
    ///
    /// - Returns: The packet; nil when the key does not fit.
    /// - Throws: ``ByteDecodingError/invalid`` for a packet that was sent before the last one: somebody
    ///   repeats it; and for other objects with the counter of the last packet.
    mutating func decrypt(
        _ rest: ArraySlice<UInt8>, information: UInt8, address: [UInt8]
    ) throws(ByteDecodingError) -> Packet? {
        let trailer = Self.counterLength + Self.tagLength
        guard rest.count > trailer else { throw .truncated }
        let counterBytes = rest.suffix(trailer).prefix(Self.counterLength)
        let plain = cipher.decrypt(
            Array(rest.dropLast(trailer)),
            nonce: address + Self.service + [information] + counterBytes,
            tag: Array(rest.suffix(Self.tagLength)))
        guard let plain else { return nil }
        let counter = counterBytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let verdict = counters.judge(counter)
        guard verdict != .replay, verdict == .new || plain == lastObjects else { throw .invalid }
        lastObjects = plain
        return Packet(objects: plain, counter: counter, isRepetition: verdict == .repetition)
    }
}
