import HealthModel
import JSON
import Platform
import Readings

/// Writes the lines of a capture.
enum CaptureEncoder {
    /// Returns the header with its newline.
    static func line(_ header: CaptureHeader) -> [UInt8] {
        line { json in
            json.field("capture", Int64(CaptureFormat.version))
            json.field("at", header.start.nanoseconds)
            json.field("clock", "\(header.clockOffset)")
            json.field("version", header.version)
            json.field("earliest", header.earliest.description)
            json.field("utcOffset", Int64(header.utcOffsetSeconds))
        }
    }

    /// Returns the line of an event with its newline.
    static func line(_ event: CaptureEvent) -> [UInt8] {
        line { json in
            switch event {
            case .clock(let offset):
                // Text: JSON numbers of this size are not exact in most programs.
                json.field("clock", "\(offset)")
            case .device(let number, let source, let device):
                json.field("device", Int64(number))
                json.field("source", source)
                append(device, to: &json)
            case .opened(let number, let moment, let adapter):
                json.start("opened", number, moment)
                json.field("adapter") { $0 += adapter.json.utf8 }
            case .received(let number, let moment, let bytes, let channel):
                json.start("received", number, moment)
                json.field("channel", channel.name)
                json.field("bytes") { Hexadecimal.append(bytes, to: &$0) }
            case .stale(let number, let moment, let reason):
                json.start("stale", number, moment)
                json.field("reason", reason)
            case .closed(let number, let moment, let reason):
                json.start("closed", number, moment)
                json.field("reason", reason)
            case .forgotten(let number, let moment):
                json.start("forgotten", number, moment)
            }
        }
    }

    private static func append(_ device: Device, to json: inout JSONWriter) {
        json.field("localIdentifier", device.localIdentifier)
        json.field("name", device.name)
        json.field("manufacturer", device.manufacturer)
        json.field("model", device.model)
        json.field("hardwareVersion", device.hardwareVersion)
        json.field("firmwareVersion", device.firmwareVersion)
        json.field("softwareVersion", device.softwareVersion)
        json.field("serial", device.serial)
    }

    private static func line(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(content)
        return json.bytes + [UInt8(ascii: "\n")]
    }
}

extension JSONWriter {
    /// Writes the first two keys of an event: its device and its time of receipt.
    fileprivate mutating func start(_ event: String, _ device: Int, _ moment: BootInstant) {
        field(event, Int64(device))
        field("at", moment.nanoseconds)
    }
}

/// Bytes as hexadecimal digits.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends a JSON string with two digits for each byte.
    static func append(_ bytes: [UInt8], to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        for byte in bytes {
            buffer.append(digits[Int(byte >> 4)])
            buffer.append(digits[Int(byte & 15)])
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Returns the bytes of digits; nil if they are not pairs of hexadecimal digits.
    static func bytes(of digits: UnsafeRawBufferPointer) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { buffer, count in
            for index in 0..<digits.count / 2 {
                let high = value(digits[2 * index])
                let low = value(digits[2 * index + 1])
                isValid = isValid && high < 16 && low < 16
                buffer.initializeElement(at: index, to: high << 4 | low & 15)
            }
            count = digits.count / 2
        }
        return isValid ? bytes : nil
    }

    /// The value of a digit; 16 if it is none.
    private static func value(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: 16
        }
    }
}
