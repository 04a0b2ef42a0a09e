import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Bluetooth

/// A profile whose readings are the differences of its values.
final class StatefulGATTProfileTests: XCTestCase {
    private let characteristic = BluetoothUUID(0x2A5B)
    private let first = BootInstant(nanoseconds: 1_000_000_000)
    private let second = BootInstant(nanoseconds: 3_000_000_000)

    func testReceived_dependsOnTheValuesBefore() throws {
        var adapter = GATTAdapter(profiles: [TurnsProfile()])
        XCTAssertEqual(receive([10], at: first, &adapter), [])
        XCTAssertEqual(
            receive([12], at: second, &adapter),
            [.reading(.instant(.cyclingCadence, try Quantity(60, .countPerMinute)))])
    }

    func testOpened_forgetsTheValuesBefore() {
        var adapter = GATTAdapter(profiles: [TurnsProfile()])
        _ = receive([10], at: first, &adapter)
        _ = adapter.handle(AdapterEvent(.opened, at: second))
        XCTAssertEqual(receive([12], at: second, &adapter), [])
    }

    func testDecode_ofTheProfile_isThatOfTheFirstValue() throws {
        let decoding = try TurnsProfile().decode([10], of: characteristic, from: Device())
        XCTAssertEqual(decoding, GATTDecoding())
    }

    func testConformance_sendsTheValuesOneAfterTheOther() {
        XCTAssertEqual(
            GATTProfileConformance.findings(
                for: TurnsProfile(), values: [characteristic: [[10], [12]]]
            ).map(\.description), [])
        let findings = GATTProfileConformance.findings(
            for: TurnsProfile(), values: [characteristic: [[10]]])
        XCTAssertTrue(
            findings.contains { $0.description.contains("gives no reading") }, "\(findings)")
    }

    /// A decoder that wants to be woken is woken once, and its requests are written.
    func testWake_isAtTheTimeThatTheDecoderWants() {
        var adapter = GATTAdapter(profiles: [OverdueProfile(), TurnsProfile()])
        XCTAssertEqual(
            adapter.handle(AdapterEvent(.received([5], on: Self.overdue), at: first)),
            [.wake(at: first.adding(seconds: 5))])
        XCTAssertEqual(
            adapter.handle(AdapterEvent(.timer, at: first.adding(seconds: 4.9))),
            [.wake(at: first.adding(seconds: 5))])
        XCTAssertEqual(
            adapter.handle(AdapterEvent(.timer, at: first.adding(seconds: 5))),
            [
                .reading(.state(.contact(false))), .dropped(.silent),
                .send([1], on: Self.overdue),
            ])
        XCTAssertNil(adapter.wakeTime)
    }

    /// A decoder that forgets to set a later time does not occupy the gateway.
    func testWake_thatIsAlwaysDue_isBounded() {
        var adapter = GATTAdapter(profiles: [OverdueProfile(isStuck: true)])
        _ = adapter.handle(AdapterEvent(.received([5], on: Self.overdue), at: first))
        let due = first.adding(seconds: 5)
        _ = adapter.handle(AdapterEvent(.timer, at: due))
        XCTAssertEqual(adapter.wakeTime, due.adding(seconds: 0.01))
        _ = adapter.handle(AdapterEvent(.opened, at: due))
        XCTAssertNil(adapter.wakeTime)
    }

    private static let overdue = Channel(BluetoothUUID(0x2A39))

    private func receive(
        _ value: [UInt8], at receipt: BootInstant, _ adapter: inout GATTAdapter
    ) -> [AdapterAction] {
        adapter.handle(AdapterEvent(.received(value, on: Channel(characteristic)), at: receipt))
    }
}

private struct TurnsProfile: StatefulGATTProfile {
    let name = "turns"
    let service = BluetoothUUID(0x1816)
    let subscriptions = [BluetoothUUID(0x2A5B)]

    func makeDecoder() -> any GATTDecoder { Decoder() }

    private struct Decoder: GATTDecoder {
        var last: (turns: UInt8, receipt: BootInstant)?

        mutating func decode(
            _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
            at receipt: BootInstant
        ) throws(ByteDecodingError) -> GATTDecoding {
            guard characteristic == BluetoothUUID(0x2A5B) else { throw .unknown }
            guard value.count == 1, let turns = value.first else { throw .truncated }
            defer { last = (turns, receipt) }
            guard let last, receipt > last.receipt else { return GATTDecoding() }
            let rate = Double(turns &- last.turns) * 60 / receipt.seconds(since: last.receipt)
            guard let cadence = try? Quantity(rate, .countPerMinute) else { throw .invalid }
            return GATTDecoding([.instant(.cyclingCadence, cadence)])
        }
    }
}

/// A profile whose value is the number of seconds after which it wants to be woken.
private struct OverdueProfile: StatefulGATTProfile {
    let name = "overdue"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A39)]
    var isStuck = false

    func makeDecoder() -> any GATTDecoder { Decoder(isStuck: isStuck) }

    private struct Decoder: GATTDecoder {
        let isStuck: Bool
        var wakeTime: BootInstant?

        mutating func decode(
            _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device,
            at receipt: BootInstant
        ) throws(ByteDecodingError) -> GATTDecoding {
            guard let seconds = value.first else { throw .truncated }
            wakeTime = receipt.adding(seconds: Double(seconds))
            return GATTDecoding()
        }

        mutating func wake(at now: BootInstant) -> GATTDecoding {
            if !isStuck { wakeTime = nil }
            return GATTDecoding(
                [.state(.contact(false))], drops: [.silent],
                writes: [GATTWrite([1], to: BluetoothUUID(0x2A39))])
        }
    }
}
