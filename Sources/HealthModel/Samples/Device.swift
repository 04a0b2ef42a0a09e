import JSON

/// A device that measures, as far as it has told about itself.
///
/// Devices are equal when all they say is. A copy costs a reference.
public struct Device: Hashable, Sendable {
    /// The longest of the strings, in UTF-8; what is longer is cut when a device is made.
    ///
    /// A GATT characteristic has at most 512 bytes (Bluetooth Core 5.4, Vol 3 Part F 3.2.9).
    public static let maximumTextLength = 512

    private let storage: Storage

    private final class Storage: Sendable {
        let fields: [Field: String]
        let json: [UInt8]

        init(_ fields: [Field: String]) {
            self.fields = fields
            json = Device.json(of: fields)
        }
    }

    /// What a device can say, in the order of its JSON.
    enum Field: String, CaseIterable {
        case name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion
        case localIdentifier, serial
    }

    /// Makes a device.
    public init(
        name: String? = nil, manufacturer: String? = nil, model: String? = nil,
        hardwareVersion: String? = nil, firmwareVersion: String? = nil,
        softwareVersion: String? = nil, localIdentifier: String? = nil, serial: String? = nil
    ) {
        var fields: [Field: String] = [:]
        fields[.name] = name
        fields[.manufacturer] = manufacturer
        fields[.model] = model
        fields[.hardwareVersion] = hardwareVersion
        fields[.firmwareVersion] = firmwareVersion
        fields[.softwareVersion] = softwareVersion
        fields[.localIdentifier] = localIdentifier
        fields[.serial] = serial
        self.init(fields: fields)
    }

    /// Makes a device of the fields it has.
    init(fields: [Field: String]) {
        storage = Storage(fields.mapValues { $0.cut(toBytes: Self.maximumTextLength) })
    }

    /// The name that people know it by.
    public var name: String? { self[.name] }
    /// Who made it.
    public var manufacturer: String? { self[.manufacturer] }
    /// The model, as the manufacturer calls it.
    public var model: String? { self[.model] }
    /// The revision of its hardware.
    public var hardwareVersion: String? { self[.hardwareVersion] }
    /// The revision of its firmware.
    public var firmwareVersion: String? { self[.firmwareVersion] }
    /// The revision of its software.
    public var softwareVersion: String? { self[.softwareVersion] }
    /// What this machine knows it by, as a Bluetooth address or the path of a port.
    public var localIdentifier: String? { self[.localIdentifier] }
    /// Its serial number.
    public var serial: String? { self[.serial] }

    /// Returns this device with all that the other one knows; where both know, the other wins.
    public func merging(_ other: Device) -> Device {
        Device(fields: storage.fields.merging(other.storage.fields) { $1 })
    }

    /// Whether two devices say the same.
    public static func == (left: Device, right: Device) -> Bool {
        // The JSON holds all fields in one order.
        left.storage === right.storage || left.json == right.json
    }

    /// Hashes all fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(json)
    }

    private subscript(field: Field) -> String? { storage.fields[field] }
}

extension Device {
    /// The device as a JSON object, made once: a stream names the same device in every sample.
    var json: [UInt8] { storage.json }

    private static func json(of fields: [Field: String]) -> [UInt8] {
        var buffer: [UInt8] = [UInt8(ascii: "{")]
        for field in Field.allCases {
            guard let value = fields[field] else { continue }
            if buffer.count > 1 { buffer.append(UInt8(ascii: ",")) }
            buffer.appendJSONString(field.rawValue)
            buffer.append(UInt8(ascii: ":"))
            buffer.appendJSONString(value)
        }
        buffer.append(UInt8(ascii: "}"))
        return buffer
    }
}

extension String {
    /// Returns the longest beginning, in whole characters, of at most so many bytes of UTF-8.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
