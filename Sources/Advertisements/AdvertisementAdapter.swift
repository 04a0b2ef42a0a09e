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

    private var decoders: [any AdvertisementDecoder]
    private var streams: [AdvertisementPart: Stream]

    /// Makes an adapter from the formats to read a device with.
    public init(formats: [any AdvertisementFormat], address: BluetoothAddress) {
        decoders = formats.map { $0.makeDecoder(for: address) }
        streams = Dictionary(
            formats.enumerated().flatMap { index, format in
                format.parts.map { ($0, Stream(decoder: index)) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Handles one event and returns the actions to perform, in order.
    public mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let value, let channel) = event.kind,
            let part = AdvertisementPart(channel), var stream = streams[part],
            !stream.repetition.isRepetition(value, at: event.receipt)
        else { return [] }
        defer { streams[part] = stream }
        do {
            let decoding = try decoders[stream.decoder].decode(value, of: part)
            guard stream.repetition.admits(decoding.packet, at: event.receipt) else { return [] }
            return decoding.readings.map { .reading($0) } + decoding.drops.map { .dropped($0) }
        } catch {
            return [.dropped(error.dropReason)]
        }
    }
}
