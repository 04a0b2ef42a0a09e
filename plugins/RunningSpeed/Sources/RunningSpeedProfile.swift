package import Bluetooth
package import ByteDecoding
import GatewayCore
package import HealthModel
import JSON
import Readings

/// The Running Speed and Cadence Service, 0x1814: foot pods, treadmills, watches that broadcast.
package struct RunningSpeedProfile: GATTProfile {
    /// RSC Measurement, which a sensor notifies about once a second.
    static let measurement = BluetoothUUID(0x2A53)

    /// Makes the profile from `"runningSpeed"` or `{ use: "runningSpeed", cadence: "strides" }`.
    package static let factory = GATTProfileFactory(use: "runningSpeed", about: about) {
        node throws(ConfigurationError) in
        let settings = try node.object(keys: ["use", "cadence"])
        let cadence = try settings["cadence"]?.choice(of: ["steps", "strides"])
        return RunningSpeedProfile(stepsPerCount: cadence == "strides" ? 2 : 1)
    }

    /// The name in the configuration.
    package let name = "runningSpeed"
    /// Running Speed and Cadence.
    package let service = BluetoothUUID(0x1814)
    /// The measurement.
    package let subscriptions = [Self.measurement]
    /// The number of steps that the cadence counts as one.
    var stepsPerCount: Double = 1

    /// Decodes an RSC Measurement (GATT Specification Supplement 3.192).
    package func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard characteristic == Self.measurement else { throw .unknown }
        var reader = ByteReader(value)
        let flags = BitFlags(try reader.uint8())
        let isRunning = flags[2]
        let speed = Double(try reader.uint16()) / 256
        let cadence = Double(try reader.uint8()) * stepsPerCount
        let stride = flags[0] ? Double(try reader.uint16()) / 100 : 0
        let distance = flags[1] ? try reader.uint32() : nil
        var readings = [
            try Reading.instant(isRunning ? .runningSpeed : .walkingSpeed, speed, .meterPerSecond)
        ]
        if isRunning {
            readings.append(try .instant(.runningCadence, cadence, .countPerMinute))
            if stride > 0 { readings.append(try .instant(.runningStrideLength, stride, .meter)) }
        }
        if let distance {
            let counter = CounterReading(
                .distanceWalkingRunning, value: Double(distance), range: .rollsOver(at: 0x1p32),
                unit: .meter, countsPerUnit: 10)
            readings.append(.counter(counter))
        }
        return GATTDecoding(readings)
    }
}
