import Bluetooth
import HeartRate

/// Reads values of the Heart Rate Measurement characteristic.
struct ParseBenchmark: Benchmark {
    let name = "parse"
    let about = "a heart rate packet (0x2A37) into its struct, beside reading its bytes by hand"

    private static let count = 4_000_000

    /// What a strap says: rate, contact, and none, one or two R-R intervals.
    private static let packets: [[UInt8]] = [
        [0x16, 0x48, 0x12, 0x03], [0x16, 0x49, 0x00, 0x04, 0x10, 0x04], [0x06, 0x4A],
        [0x1E, 0x4B, 0x20, 0x01, 0xF0, 0x03],
    ]

    func run(_ setting: Setting) async throws -> [Figure] {
        let packets = Self.packets
        let turns = await setting.rounds.takeTurns {
            Meter.cost(of: Self.count) { Self.readByHand(packets, count: Self.count) }
        } ours: {
            Meter.cost(of: Self.count) { Self.parse(packets, count: Self.count) }
        }
        let allocations = try Allocations.count { Self.parse(packets, count: 1_000) }
        return [
            Figure("time of a packet", "ns", turns, goal: .value(.atMost, 10)) {
                $0.nanosecondsEach
            },
            Figure(
                "allocations of a packet", "", Double(allocations) / 1_000,
                goal: .value(.atMost, 0)),
        ]
    }

    /// Every packet is another one, in the place of the one before: taking it out of an array of arrays
    /// would cost more than reading it.
    private static func parse(_ packets: [[UInt8]], count: Int) {
        for var packet in packets {
            for _ in 0..<(count / packets.count) {
                packet[1] &+= 1
                blackHole(try? HeartRateMeasurement(packet))
            }
        }
    }

    private static func readByHand(_ packets: [[UInt8]], count: Int) {
        for var packet in packets {
            for _ in 0..<(count / packets.count) {
                packet[1] &+= 1
                blackHole((packet[1], packet[0] & 0x02 != 0))
            }
        }
    }
}
