import Glibc
import Readings

/// Adapters whose calls do not return, or end the process.
extension WrongAdapter {
    static let blocks: [WrongAdapter] = [
        WrongAdapter("spins") { _, _ in
            var number: UInt64 = 1
            while number != 0 { number = number &* 3 | 1 }
            return []
        },
        WrongAdapter("blocks") { _, _ in
            while true { pause() }
        },
        WrongAdapter("blocksForThreeSeconds") { _, _ in
            sleep(3)
            return []
        },
    ]

    static let crashes: [WrongAdapter] = [
        WrongAdapter("outOfBounds") { event, count in
            guard case .received(let bytes, _) = event.kind else { return [] }
            return [.send([bytes[bytes.count + count]], on: .stream)]
        },
        WrongAdapter("stackOverflow") { _, count in
            [.send([UInt8](repeating: 0, count: depth(count)), on: .stream)]
        },
        WrongAdapter("traps") { _, _ in fatalError("wrong") },
    ]

    @inline(never)
    private static func depth(_ number: Int) -> Int {
        number == .max ? 0 : 1 + depth(number &+ 2) % 7
    }
}
