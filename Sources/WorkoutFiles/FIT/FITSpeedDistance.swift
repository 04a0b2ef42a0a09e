/// The speed and distance in three bytes, which foot pods of early devices have (FIT Profile, field
/// "compressed_speed_distance").
struct FITSpeedDistance {
    private static let size = 3
    private static let distanceBits = 0xFFF
    /// The distance so far, in 1/16 m; the file has its last 12 bits.
    private var sixteenths = 0

    /// The speed in m/s and the distance in metres since the start; nil when they are missing.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> (speed: Double, distance: Double)? {
        guard bytes.count == Self.size, bytes.contains(where: { $0 != 0xFF }) else { return nil }
        let bits = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        sixteenths += ((bits >> 12) - sixteenths) & Self.distanceBits
        return (Double(bits & 0xFFF) / 100, Double(sixteenths) / 16)
    }
}
