import GatewayCore
import HealthModel
import Readings
import Serial
import Synchronization

/// A pedometer and a strap that number what they send, so that each sample tells what it was made of.
///
/// Line i says one step more than the one before, and i centimetres more. Packet k has k in its heart
/// rate and its speed.
final class NumberedDevices: Sendable {
    private struct State {
        /// When each line and each packet was sent, counted from 0.
        var lines: [Instant] = []
        var packets: [Instant] = []
        var centimetres = 0
    }

    /// How many packets there are with one heart rate; all their speeds are those of a runner.
    private static let speeds = 3_000
    private static let slowestHeart = 40

    let foot: PseudoTerminal
    let chest: PseudoTerminal
    private let clock = SystemClock()
    private let state = Mutex(State())

    init() throws {
        foot = try PseudoTerminal()
        chest = try PseudoTerminal()
    }

    /// The sources that read them.
    var sources: String {
        """
        foot: { use: "serial", port: { path: "\(foot.slavePath)" },
          protocol: { use: "lines", preset: "steps" } },
        chest: { use: "serial", port: { path: "\(chest.slavePath)" }, protocol: "hxm" }
        """
    }

    /// How many lines were sent.
    var lineCount: Int { state.withLock { $0.lines.count } }
    /// How many packets were sent.
    var packetCount: Int { state.withLock { $0.packets.count } }
    /// When a line was sent; nil when it was not.
    func time(ofLine number: Int) -> Instant? { Self.time(number, in: state.withLock { $0.lines }) }
    /// When a packet was sent; nil when it was not.
    func time(ofPacket number: Int) -> Instant? {
        Self.time(number, in: state.withLock { $0.packets })
    }

    private static func time(_ number: Int, in times: [Instant]) -> Instant? {
        times.indices.contains(number) ? times[number] : nil
    }

    /// Sends the next lines and packets, when there is room.
    func send(lines: Int, packets: Int) async throws {
        let now = clock.epoch().instant(at: clock.now())
        let (text, bytes) = state.withLock { state in
            let text = (0..<lines).map { _ in
                state.centimetres += state.lines.count
                state.lines.append(now)
                return Self.line(steps: state.lines.count, centimetres: state.centimetres)
            }
            let bytes = (0..<packets).flatMap { _ in
                state.packets.append(now)
                return Self.packet(state.packets.count - 1)
            }
            return (text.joined(), bytes)
        }
        try await foot.send(Array(text.utf8))
        try await chest.send(bytes)
    }

    /// Lets the ports be opened again after a gateway that was killed.
    func clearExclusiveUse() {
        foot.clearExclusiveUse()
        chest.clearExclusiveUse()
    }

    private static func line(steps: Int, centimetres: Int) -> String {
        let (meters, rest) = centimetres.quotientAndRemainder(dividingBy: 100)
        return "Steps: \(steps), Distance: \(meters).\(rest < 10 ? "0" : "")\(rest) meters\n"
    }

    /// The line that a sample of a distance is of.
    static func line(meters: Double) -> Int { Int((meters * 100).rounded()) }

    /// The packet with a heart rate and a speed.
    static func packet(heartRate: Double, speed: Double) -> Int {
        (Int(heartRate) - slowestHeart) * speeds + Int((speed * 256).rounded())
    }

    /// A packet of an HxM as its guide 9700.0031 has it, with a heart that beat before the first one.
    private static func packet(_ number: Int) -> [UInt8] {
        let (heart, speed) = number.quotientAndRemainder(dividingBy: speeds)
        var payload = [UInt8](repeating: 0, count: 55)
        payload.replaceSubrange(0..<8, with: [0x1A, 0, 0x31, 0x66, 0x50, 0, 0x31, 0x64])
        payload[8] = 80
        payload[9] = UInt8(slowestHeart + heart)
        for beat in 0..<15 {
            let time = 60_000 - beat * 800
            payload[11 + beat * 2] = UInt8(time & 0xFF)
            payload[12 + beat * 2] = UInt8(time >> 8)
        }
        payload[49] = UInt8(speed & 0xFF)
        payload[50] = UInt8(speed >> 8)
        return [0x02, 0x26, 55] + payload + [checksum(payload), 0x03]
    }

    /// CRC-8 of Dallas and Maxim, as the guide has it.
    private static func checksum(_ bytes: [UInt8]) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0x8C : 0) }
        }
    }
}
