import Bluetooth
import ByteDecoding
import GatewayCore
import HealthModel
import JSON
import Readings

/// The lines that a decoder gets on its standard input.
enum EventLine {
    /// Returns the line of an event with its newline; nil for an event that a program does not get.
    ///
    /// A channel of Bluetooth has the short form of its UUID, if there is one.
    static func bytes(_ event: AdapterEvent, of device: String, in epoch: ClockEpoch) -> [UInt8]? {
        switch event.kind {
        case .opened: line("opened", event, device, epoch) { _ in }
        case .closed: line("closed", event, device, epoch) { _ in }
        case .timer: nil
        case .received(let bytes, let channel):
            line("received", event, device, epoch) { json in
                json.field("channel", name(of: channel))
                json.field("bytes") { Hexadecimal.append(bytes, to: &$0) }
            }
        }
    }

    /// Returns the line that answers a line of the program, with its newline.
    static func rejection(_ reason: String) -> [UInt8] {
        line { json in
            json.field("event", "rejected")
            json.field("reason", reason)
        }
    }

    private static func name(of channel: Channel) -> String {
        BluetoothUUID(channel.name)?.shortest ?? channel.name
    }

    private static func line(
        _ name: String, _ event: AdapterEvent, _ device: String, _ epoch: ClockEpoch,
        _ more: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        line { json in
            json.field("event", name)
            json.field("device", device)
            more(&json)
            json.field("time", epoch.instant(at: event.receipt).description)
        }
    }

    private static func line(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(content)
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
