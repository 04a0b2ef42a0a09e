import HealthModel
import Platform
import Readings

/// Adapters that request too much.
extension WrongAdapter {
    static let floods: [WrongAdapter] = [
        WrongAdapter("twoMillionReadings") { _, _ in
            Array(repeating: .reading(.state(.battery(0.5))), count: 2_000_000)
        },
        WrongAdapter("twoMillionBeats") { _ in
            .beats(
                BeatsReading(ticks: Array(repeating: 800, count: 2_000_000), perSecond: 1_000))
        },
        WrongAdapter("twoMillionDrops") { _, _ in
            Array(repeating: .dropped(.damaged), count: 2_000_000)
        },
        WrongAdapter("hugeName") { _ in
            .identity(Device(name: String(repeating: "N", count: 2_000_000)))
        },
        WrongAdapter("hugeAnswer") { event, _ in
            Array(
                repeating: .send([UInt8](repeating: 0, count: 1_000_000), on: .stream), count: 100)
        },
        WrongAdapter("timerAtZero", answersAll: true) { event, _ in
            [.wake(at: event.receipt.adding(nanoseconds: -1))]
        },
        WrongAdapter("tenThousandTypes") { count in
            let type = try? QuantityTypeDeclaration("own\(count)", .discreteArithmetic, .count)
                .makeType()
            guard let type, let quantity = try? Quantity(1, .count) else { return nil }
            return .instant(type, quantity)
        },
        WrongAdapter("hoards", hoarding: 8 << 20) { _, _ in [] },
    ]
}
