import Bluetooth
import DBus
import GatewayTesting
import Platform
import XCTest

@testable import Peripheral

/// Any calls on the objects of a peripheral: each is answered, and only a subscription changes anything.
final class PeripheralFuzzTests: XCTestCase {
    func testCalls_ofAnyKind_areAnswered() {
        var run = FuzzRun("calls on a peripheral", inputs: 1_000)
        while var random = run.next() {
            var driver = PeripheralDriver()
            for _ in 0..<30 { _ = Self.ask(&driver, &random) }
            driver.set(random.bytes(upTo: 30))
            let events = driver.removeEvents()
            let isRight = events.allSatisfy { ["subscribed", "unsubscribed"].contains($0) }
            run.expect(isRight, "\(events)")
            run.expect(driver.emitted.count <= 1, "\(driver.emitted.count) signals")
        }
        XCTAssertEqual(run.finish(), [])
    }

    private static func ask(
        _ driver: inout PeripheralDriver, _ random: inout SeededGenerator
    ) -> ObjectAnswer {
        let root = OfferedObjects.root
        let paths = [
            root, "\(root)/service0", "\(root)/service0/char0", "\(root)/service0/char1",
            "\(root)/service9", "/", OfferedObjects.advertisementPath,
        ]
        let interfaces = [
            BlueZName.gattCharacteristic, BlueZName.properties, BlueZName.objectManager, "",
        ]
        let members = [
            "ReadValue", "WriteValue", "StartNotify", "StopNotify", "Get", "GetAll", "Set",
            "GetManagedObjects", "",
        ]
        let body = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random) }
        return driver.ask(
            random.pick(interfaces), random.pick(members), at: random.pick(paths), body)
    }

    private static func value(_ random: inout SeededGenerator) -> BusValue {
        let numbers: [BusValue] = [
            .uint16(.max), .uint64(.max), .int64(.min), .int32(-1), .byte(2), .string("offset"),
            .bytes(random.bytes(upTo: 20)), .string("UUID"), .boolean(true),
        ]
        let number = random.pick(numbers)
        return switch Int.random(in: 0..<3, using: &random) {
        case 0: number
        case 1: .variant(number)
        default: .properties([random.pick(["offset", "device", ""]): number])
        }
    }
}
