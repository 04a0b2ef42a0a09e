import FoundationEssentials

/// The bytes that hexadecimal numbers between spaces stand for.
func bytes(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
}
