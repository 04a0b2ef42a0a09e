import Bluetooth
import ByteDecoding
public import GatewayCore
import Platform
public import Readings

/// The device adapter of a device that is read from its advertisements.
///
/// Its channels are the parts of an advertisement (``Bluetooth/AdvertisementPart/channel``). Each
/// part belongs to the first format that names it. A device sends every measurement many times, and
/// several adapters may receive it: data that repeats the last one, or that comes late, becomes no
/// reading.
public struct AdvertisementAdapter: DeviceAdapter {
    /// The decoder of a part, with what was received of it last.
    private struct Stream {
        let decoder: Int
        var repetition = RepetitionFilter()
    }

    /// The decoders at the beginning of a session, in the order of the formats.
    private var newDecoders: [any AdvertisementDecoder]
    private var newStreams: [AdvertisementPart: Stream]
    private var decoders: [any AdvertisementDecoder]
    private var streams: [AdvertisementPart: Stream]

    /// Makes an adapter from the formats to read a device with.
    public init(formats: [any AdvertisementFormat], address: BluetoothAddress) {
        newDecoders = formats.map { $0.makeDecoder(for: address) }
        newStreams = Dictionary(
            formats.enumerated().flatMap { index, format in
                format.parts.map { ($0, Stream(decoder: index)) }
            }, uniquingKeysWith: { first, _ in first })
        decoders = newDecoders
        streams = newStreams
    }

    /// Handles one event and returns the actions to perform, in order.
    public mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened:
            decoders = newDecoders
            streams = newStreams
            return []
        case .received(let value, let channel):
            return received(value, on: channel, at: event.receipt)
        case .timer, .closed:
            return []
        }
    }

    private mutating func received(
        _ value: [UInt8], on channel: Channel, at receipt: BootInstant
    ) -> [AdapterAction] {
        guard let part = AdvertisementPart(channel), var stream = streams[part],
            case let isRepetition = stream.repetition.isRepetition(value, at: receipt)
        else { return [] }
        defer { streams[part] = stream }
        guard !isRepetition else { return [] }
        do {
            let decoding = try decoders[stream.decoder].decode(value, of: part)
            if decoding.readings.isEmpty, decoding.packet == nil {
                stream.repetition.ignore(value, at: receipt)
            } else if !stream.repetition.admits(value, decoding.packet, at: receipt) {
                return []
            }
            return decoding.readings.map { .reading($0) } + decoding.drops.map { .dropped($0) }
        } catch {
            stream.repetition.ignore(value, at: receipt)
            return [.dropped(error.dropReason)]
        }
    }

    /// The adapter for the next session, which begins with what this one remembers: the device may
    /// still repeat the last measurement.
    var successor: AdvertisementAdapter {
        var successor = self
        successor.newDecoders = decoders
        successor.newStreams = streams
        return successor
    }
}
