/// The 64-bit hash FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv), whose results never change.
package struct FNV1a {
    /// The hash of what was combined.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Makes the hash of nothing.
    package init() {}

    init(value: UInt64) {
        self.value = value
    }

    /// Combines bytes.
    package mutating func combine(bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte: byte) }
    }

    /// Combines a string and a terminator that is not a byte of UTF-8, so that "a", "bc" differs
    /// from "ab", "c".
    mutating func combine(_ string: String) {
        combine(bytes: string.utf8)
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

    /// The hash mixed by the finaliser of MurmurHash3 (fmix64, Austin Appleby), because FNV-1a
    /// alone changes the high bits too little when only the last bytes differ.
    var finalized: UInt64 {
        var bits = value
        bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
        bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return bits ^ bits >> 33
    }
}
