import FoundationEssentials

/// The bytes that hexadecimal numbers between spaces stand for.
func bytes(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

/// How many times more random values than in an ordinary run: `PULSEGATE_FUZZ_FACTOR`.
var fuzzFactor: Int {
    ProcessInfo.processInfo.environment["PULSEGATE_FUZZ_FACTOR"].flatMap(Int.init) ?? 1
}

/// Seeded random numbers (Steele, Lea and Flood, 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
