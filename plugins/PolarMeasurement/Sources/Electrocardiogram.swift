import Bluetooth
import ByteDecoding
import HealthModel
import Readings

/// The electrocardiogram of a chest strap.
enum Electrocardiogram {
    /// The number of values per second, the only one of an H10.
    static let perSecond: UInt16 = 130
    /// The resolution in bits, the only one of an H10.
    static let resolution: UInt16 = 14

    /// The settings of a request: one value of each kind, by their numbers.
    static let settings: [UInt8] = {
        let kinds: [(number: UInt8, value: UInt16)] = [(0, perSecond), (1, resolution)]
        return kinds.flatMap { [$0.number, 1, UInt8($0.value & 0xFF), UInt8($0.value >> 8)] }
    }()

    /// Decodes the values of a frame: 24 bits each, in microvolts.
    static func decode(_ frame: PolarFrame) throws(ByteDecodingError) -> GATTDecoding {
        guard frame.form == .plain(0) else { throw .unknown }
        var reader = frame.values
        guard reader.remainingCount >= 3 else { throw .truncated }
        var values: [Double] = []
        while reader.remainingCount >= 3 { values.append(Double(try reader.int24())) }
        let waveform = WaveformReading(
            .electrocardiogramVoltage, values: values, unit: .microvolt,
            perSecond: Double(perSecond), deviceTime: frame.time)
        let drops: [DropReason] = reader.remainingCount > 0 ? [.damaged] : []
        return GATTDecoding([.waveform(waveform)], drops: drops)
    }
}
