extension RecordID {
    /// The part of an id that is the same for all records of one stream of one device.
    public struct Seed: Hashable, Sendable {
        fileprivate let hash: UInt64

        /// Makes the seed of a stream.
        public init(device: String, stream: String) {
            var hash = FNV1a()
            hash.combine(device)
            hash.combine(stream)
            self.hash = hash.value
        }
    }

    /// Makes the id of what a stream of a device said at a time.
    ///
    /// The same arguments give the same id: a replay mints no new ones. The key tells apart what
    /// has the same time; it is the device's own number where it has one.
    public static func make(
        start: Instant, device: String, stream: String, key: UInt64
    ) -> RecordID {
        RecordID(start: start, seed: Seed(device: device, stream: stream), key: key)
    }

    /// Makes the id of what the seed's stream said at a time.
    ///
    /// It is a UUID of version 8 (RFC 9562, section 5.8): 48 bits of milliseconds since 1970,
    /// 12 bits of the fraction of a millisecond, and 62 bits of a hash of all arguments. Times
    /// before 1970 count as 1970; the last Instant is far below 2^48 ms.
    public init(start: Instant, seed: Seed, key: UInt64) {
        let (milliseconds, nanoseconds) = UInt64(max(0, start.nanosecondsSince1970))
            .quotientAndRemainder(dividingBy: 1_000_000)
        let fraction = nanoseconds * 4_096 / 1_000_000
        var hash = FNV1a(value: seed.hash)
        hash.combine(key)
        hash.combine(UInt64(bitPattern: start.nanosecondsSince1970))
        self.init(
            high: milliseconds << 16 | 0x8000 | fraction,
            low: 1 << 63 | hash.finalized >> 2)
    }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv), stable for all time.
private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    init(value: UInt64) {
        self.value = value
    }

    /// Combines a string and an end mark that is no byte of UTF-8, so that "a", "bc" differs from
    /// "ab", "c".
    mutating func combine(_ string: String) {
        for byte in string.utf8 { combine(byte: byte) }
        combine(byte: 0xFF)
    }

    /// Combines the bytes of a number, least significant first.
    mutating func combine(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            combine(byte: UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    private mutating func combine(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// The hash with its bits mixed by the finaliser of MurmurHash3 (fmix64, Austin Appleby):
    /// FNV-1a alone changes the high bits too little when only the last bytes differ.
    var finalized: UInt64 {
        var bits = value
        bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return bits ^ bits >> 33
    }
}
