import ByteDecoding

/// The settings that a sensor offers for a measurement, or has applied: values of several kinds.
struct PolarSettings: Hashable {
    /// A kind of setting, by its number.
    enum Kind: UInt8, CaseIterable {
        /// The number of values per second.
        case rate = 0
        /// The number of bits of a value.
        case resolution = 1
        /// The largest value in its unit, for acceleration in g.
        case range = 2
        /// The largest value in thousandths of the unit.
        case rangeInThousandths = 3
        /// The number of channels.
        case channels = 4
        /// The factor of compressed values, a number of 32 bits (IEEE 754).
        case factor = 5
        /// A key, for recordings in the sensor.
        case security = 6

        /// The length of a value.
        var length: Int {
            switch self {
            case .rate, .resolution, .range: 2
            case .rangeInThousandths, .factor: 4
            case .channels: 1
            case .security: 16
            }
        }

        /// Whether a request for a measurement has a value of it.
        var isRequested: Bool { self != .factor && self != .security }
    }

    /// The values of each kind, at most as long as 32 bits.
    private(set) var values: [Kind: [UInt32]] = [:]

    /// Reads kinds, each with the number of its values and the values.
    init(_ bytes: [UInt8]) throws(ByteDecodingError) {
        var reader = ByteReader(bytes)
        while reader.remainingCount > 0 {
            guard let kind = Kind(rawValue: try reader.uint8()) else { throw .unknown }
            let count = try reader.uint8()
            for _ in 0..<count {
                let value = try reader.bytes(kind.length).prefix(4).reversed()
                values[kind, default: []].append(value.reduce(0) { $0 << 8 | UInt32($1) })
            }
        }
    }

    /// The number of values per second that is closest to a wanted one, but not below it if possible.
    func rate(atLeast wanted: UInt32) -> UInt32? {
        let offered = (values[.rate] ?? []).filter { $0 > 0 }
        return offered.filter { $0 >= wanted }.min() ?? offered.max()
    }

    /// The factor of compressed values, if the sensor says one.
    var factor: Double? {
        guard let bits = values[.factor]?.first else { return nil }
        let factor = Double(Float(bitPattern: bits))
        return factor.isFinite && factor > 0 ? factor : nil
    }

    /// The settings of a request: one value of each kind, the largest except for the rate.
    func request(rate: UInt32) -> [UInt8] {
        Kind.allCases.filter(\.isRequested).flatMap { kind -> [UInt8] in
            guard let largest = values[kind]?.max() else { return [] }
            let value = kind == .rate ? rate : largest
            return [kind.rawValue, 1]
                + (0..<kind.length).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
    }
}
