import ByteDecoding
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
