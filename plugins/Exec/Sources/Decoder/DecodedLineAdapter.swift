import HealthModel
import Readings

/// The adapter of a device whose decoder is a program: the lines of the program to actions.
///
/// The bytes of the device go to the program; it does nothing with them.
struct DecodedLineAdapter: DeviceAdapter {
    private var decoder: ReadingLineDecoder

    init(types: QuantityTypes) {
        decoder = ReadingLineDecoder(types: types)
    }

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let line, let channel) = event.kind, channel.isOfProgram else {
            return []
        }
        do throws(ReadingLineError) {
            // Only records need an id, and they are rejected.
            let decoded = try decoder.decode(line[...]) { start, _ in
                RecordID.make(start: start, device: "", stream: "", key: 0)
            }
            return actions(for: decoded, on: channel)
        } catch {
            return reject(error.dropReason, error.problem.problem, on: channel)
        }
    }

    private func actions(for line: ReadingLine, on channel: Channel) -> [AdapterAction] {
        guard line.device == nil, line.number == nil, line.id == nil else {
            let keys = "device, seq, session and id are keys of a source; a decoder has one device"
            return reject(.invalid, keys, on: channel)
        }
        switch line.content {
        case .readings(let readings): return readings.map { .reading($0) }
        case .dropped(let reason): return [.dropped(reason)]
        case .write(let bytes, let target):
            let target = Channel(target)
            guard !target.isOfProgram else {
                return reject(.invalid, "write must name a channel of the device", on: channel)
            }
            return [.send(bytes, on: target)]
        case .record:
            return reject(.invalid, "a decoder prints readings, and no records", on: channel)
        }
    }

    private func reject(
        _ reason: DropReason, _ explanation: String, on channel: Channel
    ) -> [AdapterAction] {
        [.dropped(reason), .send(Array(explanation.utf8), on: channel)]
    }
}
