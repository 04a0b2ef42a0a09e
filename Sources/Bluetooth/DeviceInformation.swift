import ByteDecoding
import HealthModel

/// The strings of the Device Information Service (version 1.1, §3.1 to §3.6).
package enum DeviceInformation {
    /// The maximum length of a string in Unicode scalars; every sample carries it.
    static let maximumTextLength = 128

    /// The characteristics that identify the make of a device.
    static let characteristics: [BluetoothUUID] = [
        .manufacturerName, .modelNumber, .hardwareRevision, .firmwareRevision, .softwareRevision,
        .serialNumber,
    ]

    /// Decodes one string of the device information; nil when it is blank.
    ///
    /// - Throws: ``ByteDecodingError/invalid`` when the bytes are not UTF-8.
    static func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID
    ) throws(ByteDecodingError) -> Device? {
        let text = try text(of: value)
        guard !text.isEmpty else { return nil }
        return switch characteristic {
        case .manufacturerName: Device(manufacturer: text)
        case .modelNumber: Device(model: text)
        case .hardwareRevision: Device(hardwareVersion: text)
        case .firmwareRevision: Device(firmwareVersion: text)
        case .softwareRevision: Device(softwareVersion: text)
        case .serialNumber: Device(serial: text)
        default: throw .unknown
        }
    }

    private static func text(of value: [UInt8]) throws(ByteDecodingError) -> String {
        guard let whole = String(validating: value, as: UTF8.self) else { throw .invalid }
        return printable(whole)
    }

    /// The text without trailing padding and without terminal control characters.
    package static func printable(_ text: String) -> String {
        var scalars = text.unicodeScalars.filter { !isUnprintable($0) }.prefix(maximumTextLength)
        while scalars.last == " " { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func isUnprintable(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
