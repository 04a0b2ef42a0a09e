import HeartRate

/// Measures parsing of the Heart Rate Measurement characteristic.
struct ParseBenchmark: Benchmark {
    let name = "parse"
    let summary = "a heart rate packet (0x2A37) into its struct, vs. reading single bytes"

    private static let count = 4_000_000
    /// The number of packets for counting allocations.
    private static let countedPackets = 1_000

    /// Packets with rate, contact, and none, one or two R-R intervals.
    private static let packets: [[UInt8]] = [
        [0x16, 0x48, 0x12, 0x03], [0x16, 0x49, 0x00, 0x04, 0x10, 0x04], [0x06, 0x4A],
        [0x1E, 0x4B, 0x20, 0x01, 0xF0, 0x03],
    ]

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let turns = await context.rounds.alternate {
            measure(readByHand)
        } ours: {
            measure(parse)
        }
        var packets = ownPackets()
        let allocations = try Allocations.count {
            for index in packets.indices { parse(&packets[index], count: Self.countedPackets) }
        }
        return [
            Figure("time of a packet", "ns", turns, goal: .value(.atMost, 10)) {
                $0.nanosecondsEach
            },
            Figure("allocations", "", Double(allocations), goal: .value(.atMost, 0)),
        ]
    }

    private func measure(_ read: (inout [UInt8], Int) -> Void) -> Cost {
        var packets = ownPackets()
        return Meter.cost(of: Self.count) {
            for index in packets.indices { read(&packets[index], Self.count / packets.count) }
        }
    }

    /// Makes unique copies, so that writing to them does not copy.
    private func ownPackets() -> [[UInt8]] { Self.packets.map { $0.map { $0 } } }

    /// Changes the packet in place, because access to an array of arrays costs more than parsing.
    private func parse(_ packet: inout [UInt8], count: Int) {
        for _ in 0..<count {
            packet[1] &+= 1
            blackHole(try? HeartRateMeasurement(packet))
        }
    }

    private func readByHand(_ packet: inout [UInt8], count: Int) {
        for _ in 0..<count {
            packet[1] &+= 1
            blackHole((packet[1], packet[0] & 0x02 != 0))
        }
    }
}
