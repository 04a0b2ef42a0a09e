import Bluetooth
import ByteDecoding
import HealthModel
import Readings

/// The acceleration that a sensor measures along its three axes.
struct Acceleration {
    /// The wanted number of values per second: enough for steps, posture and breathing.
    static let wantedRate: UInt32 = 50
    /// The standard gravity in m/s², by definition.
    static let gravity = 9.80665
    /// The axes in the order of the values.
    private static let axes: [QuantityType] = [.accelerationX, .accelerationY, .accelerationZ]

    /// The number of values per second that was requested.
    let perSecond: Double
    /// The factor of compressed values, if the sensor has said one.
    var factor: Double?

    /// Decodes the values of a frame to a waveform for each axis.
    func decode(_ frame: PolarFrame) throws(ByteDecodingError) -> GATTDecoding {
        switch frame.form {
        case .plain(let type) where type <= 2:
            // In thousandths of g, of 8, 16 or 24 bits.
            let length = Int(type) + 1
            let moments = try Self.plain(frame.values, length)
            let hasRest = frame.values.remainingCount % (length * Self.axes.count) > 0
            return GATTDecoding(
                waveforms(moments, at: frame.time) { Double($0) * Self.gravity / 1_000 },
                drops: hasRest ? [.damaged] : [])
        case .compressed(0):
            // In g. Without the factor nobody knows the size of the values.
            guard let factor else { throw .unknown }
            return GATTDecoding(
                waveforms(try DeltaFrame.decode(frame.values), at: frame.time) {
                    Double($0) * factor * Self.gravity
                })
        case .compressed(1):
            let factor = factor ?? 1
            return GATTDecoding(
                waveforms(try DeltaFrame.decode(frame.values), at: frame.time) {
                    Double($0) * factor * Self.gravity / 1_000
                })
        case .plain, .compressed: throw .unknown
        }
    }

    private func waveforms(
        _ moments: [[Int]], at time: UInt64?, _ acceleration: (Int) -> Double
    ) -> [Reading] {
        Self.axes.indices.map { axis in
            .waveform(
                WaveformReading(
                    Self.axes[axis], values: moments.map { acceleration($0[axis]) },
                    unit: .meterPerSecondSquared, perSecond: perSecond, deviceTime: time))
        }
    }

    /// Reads the numbers of each moment, one of some bytes for each axis.
    private static func plain(
        _ values: ByteReader, _ length: Int
    ) throws(ByteDecodingError) -> [[Int]] {
        var reader = values
        guard reader.remainingCount >= length * axes.count else { throw .truncated }
        var moments: [[Int]] = []
        while reader.remainingCount >= length * axes.count {
            var moment: [Int] = []
            for _ in axes {
                switch length {
                case 1: moment.append(Int(try reader.int8()))
                case 2: moment.append(Int(try reader.int16()))
                default: moment.append(Int(try reader.int24()))
                }
            }
            moments.append(moment)
        }
        return moments
    }
}
