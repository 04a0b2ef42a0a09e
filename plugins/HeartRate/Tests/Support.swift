import FoundationEssentials

/// The bytes that hexadecimal numbers between spaces stand for.
func bytes(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}

/// How many times more random values than in an ordinary run: `PULSEGATE_FUZZ_FACTOR`.
var fuzzFactor: Int {
    max(1, ProcessInfo.processInfo.environment["PULSEGATE_FUZZ_FACTOR"].flatMap(Int.init) ?? 1)
}
