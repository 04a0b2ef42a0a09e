import DBus
import GatewayCore
import XCTest

@testable import Bluetooth

final class AdapterChoiceTests: XCTestCase {
    /// A choice between the adapters 0, 1, … that receive a device with these strengths.
    private func choice(_ strengths: [Int16?], failed: Int? = nil) -> AdapterChoice {
        var daemon = Daemon()
        for (number, strength) in strengths.enumerated() {
            _ = daemon.addDevice(1, on: number, strength: strength)
        }
        let paths = strengths.indices.map { Daemon.device(1, on: $0) }
        return AdapterChoice(
            objects: paths.compactMap(daemon.tree.device), failed: failed.map { paths[$0] })
    }

    private func number(_ device: BlueZDevice) -> Int? {
        Int(device.adapterPath.dropFirst("/org/bluez/hci".count))
    }

    func testCandidates_areThoseWithTheBond_andOfTheseThoseThatReceiveTheDevice() {
        for (strengths, paired, expected) in [
            ([-60, -60], [], [0, 1]),
            ([-60, nil], [], [0]),
            ([nil, nil], [], [0, 1]),
            ([-40, -80], [1], [1]),
            ([-40, nil], [1], [1]),
            ([-40, -60, nil], [1, 2], [1]),
        ] as [([Int16?], Set<Int>, [Int])] {
            var daemon = Daemon()
            for (number, strength) in strengths.enumerated() {
                _ = daemon.addDevice(
                    1, on: number, strength: strength, isPaired: paired.contains(number))
            }
            let objects = strengths.indices.compactMap {
                daemon.tree.device(at: Daemon.device(1, on: $0))
            }
            XCTAssertEqual(
                AdapterChoice.candidates(among: objects).map(number), expected,
                "\(strengths), \(paired)")
        }
    }

    func testAcceptable_areThoseWithNearlyTheBestOrAGoodSignal() {
        for (strengths, failed, expected) in [
            ([-90, -85], nil, [0, 1]),
            ([-91, -85], nil, [1]),
            ([-50, -75], nil, [0, 1]),
            ([-50, -76], nil, [0]),
            ([nil, nil], nil, [0, 1]),
            ([nil, -100], nil, [1]),
            ([-50, -90], 0, [0, 1]),
            ([-50, -90], 1, [0, 1]),
            ([-50, -88, -90], 0, [0, 1, 2]),
            ([-90], 0, [0]),
            ([], nil, []),
        ] as [([Int16?], Int?, [Int])] {
            XCTAssertEqual(
                choice(strengths, failed: failed).acceptable.map(number), expected,
                "\(strengths), failed: \(String(describing: failed))")
        }
    }

    func testBest_hasTheBestSignal_andAmongEqualsTheFewestLinks() {
        for (strengths, links, failed, expected) in [
            ([-60, -60], [3, 2], nil, 1),
            ([-60, -60], [2, 2], nil, 0),
            ([-60, -65], [3, 2], nil, 1),
            ([-60, -66], [3, 0], nil, 0),
            ([-60, -65], [2, 2], nil, 0),
            ([-62, -60], [2, 2], nil, 1),
            ([-50, -70], [0, 5], 0, 1),
            ([-50], [5], 0, 0),
            ([nil, nil], [1, 0], nil, 1),
            ([], [], nil, nil),
        ] as [([Int16?], [Int], Int?, Int?)] {
            let best = choice(strengths, failed: failed).best { adapter in
                adapter.last?.wholeNumberValue.map { links[$0] } ?? 0
            }
            XCTAssertEqual(
                best.flatMap(number), expected,
                "\(strengths), \(links), failed: \(String(describing: failed))")
        }
    }
}
