import DBus
import Platform
import XCTest

@testable import Bluetooth

/// When the machine plans: whose turn it is to connect, and whether to look for devices.
///
/// A search that should have ended long ago shows it, because every plan ends it.
final class CentralPlanTests: XCTestCase {
    /// A machine with a live strap and two that it looks for.
    private var driver = MachineDriver.central(1, 2, 3)
    private var machine: CentralMachine { driver.machine }
    private var late: BootInstant {
        driver.now.adding(seconds: 10 * Discovery.sessionSeconds.longest)
    }

    override func setUp() {
        driver = .central(1, 2, 3)
        driver.makeLive(1)
        driver.clear()
    }

    /// Whether the machine plans when it handles this, long after the search should have ended.
    private func plans(_ change: (inout Daemon) -> [ManagedObjects.Change]) -> Bool {
        plans(change(&driver.daemon).map { .changed($0) })
    }

    private func plans(_ events: [BlueZEvent<CentralMachine.Request>]) -> Bool {
        var machine = machine
        return events.contains { event in
            machine.handle(event, in: driver.daemon.tree, at: late).contains(where: \.isStop)
        }
    }

    private func notification(_ value: [UInt8]) -> [ManagedObjects.Change] {
        driver.daemon.set(
            "\(Daemon.device(1))/service180d/c2", BlueZName.gattCharacteristic,
            ["Value": .bytes(value)])
    }

    func testHandle_ofNotifications_reportsThemAndPlansNothing() {
        var machine = machine
        var reports = 0
        for number in 0..<1_000 {
            for change in notification([UInt8(number % 200 + 1)]) {
                let now = late.adding(seconds: Double(number))
                let actions = machine.handle(.changed(change), in: driver.daemon.tree, at: now)
                XCTAssertFalse(actions.contains(where: \.isStop))
                reports += actions.count
            }
        }

        XCTAssertEqual(reports, 1_000)
        let actions = machine.handle(.timer, in: driver.daemon.tree, at: late)
        XCTAssertTrue(actions.contains(where: \.isStop), "the search was due all the time")
    }

    /// However many straps wait for the adapter, an advertisement is compared with none of them.
    func testHandle_ofAdvertisements_readsNoDeviceAndStartsNothing() {
        let numbers = UInt8(1)...250
        let driver = MachineDriver.central(
            BluetoothSelection(devices: .named(Set(numbers.map { .ending($0) }))))
        for number in numbers { driver.advertise(number) }
        let count = driver.daemon.tree.deviceReadCount
        driver.clear()

        for strength in Int16(-90)...(-80) {
            for number in numbers { driver.advertise(number, strength: strength) }
        }

        XCTAssertEqual(driver.daemon.tree.deviceReadCount, count)
        XCTAssertEqual(driver.removeCalls(ofAdapters: true), [])
        XCTAssertEqual(driver.outputWords(), [])
        XCTAssertEqual(driver.machine.links.ready.count, 249)
    }

    func testHandle_ofABatteryOrAService_plansNothing() {
        XCTAssertFalse(
            plans { $0.add(Daemon.device(1), BlueZName.battery, ["Percentage": .byte(40)]) })
        XCTAssertFalse(plans { $0.add("/org/bluez/hci0/x", BlueZName.gattService, [:]) })
        XCTAssertFalse(plans { $0.remove("/org/bluez/hci0/x", BlueZName.gattService) })
    }

    func testHandle_ofADevice_plans() {
        let strength = ["RSSI": BusValue.int16(-50)]
        XCTAssertTrue(plans { $0.addDevice(4) })
        XCTAssertTrue(plans { $0.set(Daemon.device(4), BlueZName.device, strength) })
        XCTAssertTrue(plans { $0.remove(Daemon.device(4), BlueZName.device) })
    }

    func testHandle_ofAnAdapter_plans() {
        XCTAssertTrue(plans { $0.addAdapter(1) })
        XCTAssertTrue(
            plans { $0.set(Daemon.adapter(1), BlueZName.adapter, ["Powered": .boolean(false)]) })
        XCTAssertTrue(plans { $0.remove(Daemon.adapter(1), BlueZName.adapter) })
    }

    func testHandle_ofTheTimerOrAnAnswerToASearch_plans() {
        XCTAssertTrue(plans([.timer]))
        let answer = CentralMachine.Request.discovery(adapter: Daemon.adapter(0), .setFilter)
        XCTAssertTrue(plans([.finished(answer, .success([]))]))
    }

    func testHandle_ofAnAnswer_plansWhenTheLinkIsInAnotherState() {
        driver.advertise(2)
        let connect = CentralMachine.Request.link(.ending(2), .connect, attempt: 2)

        XCTAssertFalse(plans([.finished(connectOfNobody, .success([]))]))
        XCTAssertTrue(plans([.finished(connect, .success([]))]))
    }

    private let connectOfNobody = CentralMachine.Request.link(.ending(9), .connect, attempt: 2)

    func testApply_plans() {
        var machine = machine
        let selection = BluetoothSelection(devices: .any)

        let actions = machine.apply(.select(selection), in: driver.daemon.tree, at: late)

        XCTAssertTrue(actions.contains(where: \.isStop))
    }
}

extension CentralMachine.Action {
    /// Whether it ends a search.
    fileprivate var isStop: Bool {
        if case .call(.discovery(_, .stop), _) = self { true } else { false }
    }
}
