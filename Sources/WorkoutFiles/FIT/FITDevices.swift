import HealthModel
import Workouts

/// The first messages of a FIT file: file id, file creator and device infos.
struct FITDevices {
    /// The manufacturer numbers that Garmin has assigned (FIT Profile, "manufacturer").
    static let manufacturers: [(name: String, number: Int)] = [
        ("Polar", 123), ("Garmin", 1), ("Wahoo", 32), ("Suunto", 23), ("Zephyr", 3),
        ("COOSPO", 135), ("Magene", 107), ("Decathlon", 310),
    ]
    /// The number of manufacturers without an assigned one.
    static let development = 255
    private static let maximumSensorCount = 250
    private static let sourceLowEnergy = 3
    private static let sourceLocal = 5

    private let workout: Workout
    private let recorder: SourceRevision
    private let sensors: [(device: Device, types: Set<QuantityType>)]

    init(_ recorded: RecordedWorkout, recorder: SourceRevision) {
        workout = recorded.workout
        self.recorder = recorder
        var places: [Device: Int] = [:]
        var sensors: [(device: Device, types: Set<QuantityType>)] = []
        for sample in recorded.samples {
            guard let device = sample.device, device != recorded.workout.device else { continue }
            if let place = places[device] {
                sensors[place].types.insert(sample.type)
            } else if sensors.count < Self.maximumSensorCount {
                places[device] = sensors.count
                sensors.append((device, [sample.type]))
            }
        }
        self.sensors = sensors
    }

    func append(to writer: inout FITWriter) {
        let start = FITTime.number(workout.start)
        let version = recorder.version.flatMap(Self.version)
        writer.append(
            .fileID,
            [
                .enumeration(0, 4), .uint16(1, Double(Self.development)), .uint16(2, 0),
                .uint32z(3, serial), .uint32(4, start),
            ])
        writer.append(.fileCreator, [.uint16(0, version, scale: 100)])
        writer.append(
            .deviceInfo,
            info(
                index: 0, type: nil, manufacturer: Self.development, serial: serial,
                version: version, source: Self.sourceLocal,
                name: workout.device?.name ?? recorder.name))
        for (place, sensor) in sensors.enumerated() {
            let device = sensor.device
            writer.append(
                .deviceInfo,
                info(
                    index: place + 1, type: Self.type(of: sensor.types),
                    manufacturer: Self.number(of: device.manufacturer),
                    serial: device.serial.flatMap { UInt32($0) },
                    version: (device.firmwareVersion ?? device.softwareVersion)
                        .flatMap(Self.version),
                    source: Self.isAddress(device.localIdentifier)
                        ? Self.sourceLowEnergy : Self.sourceLocal,
                    name: device.name ?? device.model ?? device.localIdentifier ?? ""))
        }
    }

    private func info(
        index: Int, type: Int?, manufacturer: Int, serial: UInt32?, version: Double?, source: Int,
        name: String
    ) -> [FITField] {
        [
            .uint32(253, FITTime.number(workout.start)), .uint8(0, Double(index)),
            .uint8(1, type.map(Double.init)), .uint16(2, Double(manufacturer)),
            .uint32z(3, serial), .uint16(5, version, scale: 100), .enumeration(25, source),
            .text(27, name),
        ]
    }

    /// The serial number of the gateway; derived from its name when it has none.
    private var serial: UInt32 {
        if let serial = workout.device?.serial.flatMap({ UInt32($0) }), serial > 0 { return serial }
        let box = workout.device?.localIdentifier ?? workout.device?.name ?? recorder.name
        let id = RecordID.make(
            start: Instant(nanosecondsSince1970: 0), device: box, stream: "fit", key: 0)
        return max(1, UInt32(truncatingIfNeeded: id.low))
    }

    /// The first two parts of a version, for example 1.25 for `v1.25.3`.
    static func version(_ text: String) -> Double? {
        let digits = text.drop { !("0"..."9").contains($0) }
        let parts = digits.prefix { ("0"..."9").contains($0) || $0 == "." }
            .split(separator: ".").prefix(2)
        return Double(parts.joined(separator: "."))
    }

    private static func number(of manufacturer: String?) -> Int {
        guard let name = manufacturer?.lowercased() else { return development }
        let known = manufacturers.first { name.hasPrefix($0.name.lowercased()) }
        return known?.number ?? development
    }

    /// The type of a Bluetooth device by its samples (FIT Profile, "ble_device_type").
    private static func type(of types: Set<QuantityType>) -> Int? {
        if types.contains(.heartRate) || types.contains(.rrInterval) { return 1 }
        // A power meter measures the cadence too, and some of them the speed.
        if types.contains(.cyclingPower) { return 2 }
        if types.contains(.cyclingCadence) { return types.contains(.cyclingSpeed) ? 3 : 5 }
        if types.contains(.cyclingSpeed) || types.contains(.distanceCycling) { return 4 }
        let onFoot: Set<QuantityType> = [
            .stepCount, .distanceWalkingRunning, .runningCadence, .runningSpeed, .walkingSpeed,
            .runningPower,
        ]
        return types.isDisjoint(with: onFoot) ? nil : 6
    }

    private static func isAddress(_ identifier: String?) -> Bool {
        let parts = identifier?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        return parts.count == 6
            && parts.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }
    }
}
