import ByteDecoding
import HealthModel
import Readings

/// The total of a step counter: A5 5A, the number of bytes, the bytes, their CRC-8.
struct StepFrames {
    private var splitter = FrameSplitter(
        FrameLayout(
            start: [0xA5, 0x5A], length: .field(at: 2, adding: 4), check: .crc(.crc8, from: 2)))

    mutating func actions(for bytes: [UInt8]) -> [AdapterAction] {
        var actions: [AdapterAction] = []
        splitter.split(bytes) { piece in
            switch piece {
            case .frame(let frame):
                let content = frame.dropFirst(3).dropLast()
                actions.append(Self.action(for: Array(content)))
            case .corrupt: actions.append(.dropped(.damaged))
            }
        }
        return actions
    }

    private static func action(for content: [UInt8]) -> AdapterAction {
        var reader = ByteReader(content)
        guard let total = try? reader.uint16() else { return .dropped(.damaged) }
        return .reading(.counter(CounterReading(.stepCount, value: Double(total), unit: .count)))
    }
}
