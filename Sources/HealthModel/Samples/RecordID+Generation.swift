extension RecordID {
    /// The part of an id that is common to all records of a device's stream.
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

    /// Makes the id of a record of a device's stream.
    ///
    /// The same arguments give the same id, so a replay creates no new ids. The key distinguishes
    /// records with the same time; it is the device's own record number if it has one.
    public static func make(
        start: Instant, device: String, stream: String, key: UInt64
    ) -> RecordID {
        RecordID(start: start, seed: Seed(device: device, stream: stream), key: key)
    }

    /// Makes the id of a record of the seed's stream.
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

    /// Returns the id of the record at an index of those that are made from one message.
    ///
    /// The first one has this id; the others sort at the same time.
    package func following(_ index: Int) -> RecordID {
        guard index > 0 else { return self }
        var hash = FNV1a(value: low)
        hash.combine(high)
        hash.combine(UInt64(index))
        return RecordID(high: high, low: 1 << 63 | hash.finalized >> 2)
    }
}
