import ByteDecoding
import HealthModel
import Readings

/// Frames to temperatures: A5 5A, hundredths of a degree Celsius (16 bits, signed, low byte first),
/// battery in percent, CRC-8 of these three bytes.
struct SkinPatchAdapter: DeviceAdapter {
    private static let layout = FrameLayout(
        start: [0xA5, 0x5A], length: .fixed(6), check: .crc(.crc8, from: 2))

    let type: QuantityType
    private var splitter = FrameSplitter(layout)

    init(type: QuantityType) {
        self.type = type
    }

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened, .closed:
            splitter.reset()
            return []
        case .received(let bytes, _):
            var pieces: [FrameSplitter.Piece] = []
            splitter.split(bytes) { pieces.append($0) }
            return pieces.flatMap { actions(for: $0) }
        case .timer:
            return []
        }
    }

    private func actions(for piece: FrameSplitter.Piece) -> [AdapterAction] {
        guard case .frame(let frame) = piece else { return [.dropped(.damaged)] }
        var reader = ByteReader(Array(frame.dropFirst(2)))
        guard let hundredths = try? reader.int16(), let battery = try? reader.uint8(),
            battery <= 100, let quantity = try? Quantity(Double(hundredths) / 100, .degreeCelsius)
        else { return [.dropped(.invalid)] }
        return [
            .reading(.instant(type, quantity)),
            .reading(.state(.battery(Double(battery) / 100))),
        ]
    }
}
