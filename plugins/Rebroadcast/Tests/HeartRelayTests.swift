import GatewayCore
import HealthModel
import Platform
import XCTest

@testable import Rebroadcast

/// Tests of what is sent of a person's heart rate, with the time of the test.
final class HeartRelayTests: XCTestCase {
    private var relay = HeartRelay(person: "ada", silenceSeconds: 5)
    private var now = BootInstant(nanoseconds: 1_000_000_000_000)
    private let strap = StrapRecords()

    private func receive(_ records: Record..., after seconds: Double = 1) -> HeartRatePacket? {
        now = now.adding(seconds: seconds)
        return relay.receive(records, at: now, time: strap.time)
    }

    private func subscribe() {
        XCTAssertEqual(relay.subscriptionChanged(to: true, at: now), .noContact)
    }

    /// Lets time pass up to the wake time; returns the packet.
    private func passToTimer() -> HeartRatePacket? {
        now = relay.wakeTime ?? now
        return relay.timer(at: now)
    }

    func testHeartRate_isSentWithItsIntervals() throws {
        subscribe()
        XCTAssertEqual(
            receive(try strap.heart(61), try strap.interval(0.99), try strap.interval(1)),
            .heart(rate: 61, intervals: [1_014, 1_024]))
        XCTAssertEqual(receive(try strap.heart(62.4)), .heart(rate: 62, intervals: []))
        XCTAssertEqual(
            receive(try strap.interval(0.5), try strap.heart(63)),
            .heart(rate: 63, intervals: [512]))
    }

    func testOtherPeople_areNotSent() throws {
        subscribe()
        var other = StrapRecords(person: "bob")
        XCTAssertNil(receive(try other.heart(61)))
        other.person = "ada.b"
        XCTAssertNil(receive(try other.heart(61)))
        XCTAssertNil(receive(other.event(contact: false)))
    }

    func testOldValues_areNotSent() throws {
        subscribe()
        XCTAssertNil(receive(try strap.heart(61, age: 5)))
        XCTAssertNil(receive(try strap.heart(61, age: -5)))
        XCTAssertNil(receive(try strap.heart(61, age: 86_400)))
        XCTAssertEqual(
            receive(try strap.heart(62, age: 4.9)), .heart(rate: 62, intervals: []))
    }

    func testSilence_isSent_andRepeatedEverySecond_untilAHeartRateComes() throws {
        subscribe()
        _ = receive(try strap.heart(61))
        let last = now
        XCTAssertEqual(passToTimer(), .noContact)
        XCTAssertEqual(now.seconds(since: last), 5)
        XCTAssertEqual(passToTimer(), .noContact)
        XCTAssertEqual(now.seconds(since: last), 6)
        XCTAssertEqual(receive(try strap.heart(63)), .heart(rate: 63, intervals: []))
        XCTAssertEqual(relay.wakeTime, now.adding(seconds: 5))
    }

    func testLostContact_isSentAtOnce() throws {
        subscribe()
        _ = receive(try strap.heart(61))
        XCTAssertEqual(receive(strap.event(contact: false)), .noContact)
        XCTAssertNil(receive(strap.event(contact: true)))
        XCTAssertEqual(receive(try strap.heart(64)), .heart(rate: 64, intervals: []))
    }

    func testLostLink_isSentAtOnce() throws {
        subscribe()
        _ = receive(try strap.heart(61))
        XCTAssertNil(receive(strap.event(connection: .connected)))
        XCTAssertEqual(receive(strap.event(connection: .disconnected)), .noContact)
    }

    /// The contact came back within what was published together.
    func testContactLostAndBackAtOnce_isAHeartRate() throws {
        subscribe()
        _ = receive(try strap.heart(61))
        XCTAssertEqual(
            receive(strap.event(contact: false), try strap.heart(65)),
            .heart(rate: 65, intervals: []))
    }

    func testContactLostAfterAValueInTheSameBatch_isLost() throws {
        subscribe()
        XCTAssertEqual(
            receive(try strap.heart(61), strap.event(contact: false)), .noContact)
        XCTAssertEqual(receive(try strap.heart(62)), .heart(rate: 62, intervals: []))
    }

    func testContactLost_whileAValueWaitsForItsTurn_isLost() throws {
        subscribe()
        XCTAssertNotNil(receive(try strap.heart(61)))
        XCTAssertNil(receive(try strap.heart(62), after: 0.1))
        XCTAssertEqual(receive(strap.event(contact: false), after: 0.1), .noContact)
        XCTAssertEqual(passToTimer(), .noContact)
        XCTAssertFalse(relay.hasHeartRate(at: now))
    }

    func testSecondDevice_isSentOnlyWhenTheFirstIsSilent() throws {
        subscribe()
        let watch = StrapRecords(device: "D0:11:22:33:44:66")
        _ = receive(try strap.heart(61))
        XCTAssertNil(receive(try watch.heart(90)))
        XCTAssertNil(receive(watch.event(contact: false)))
        XCTAssertEqual(
            receive(try watch.heart(91), after: 5), .heart(rate: 91, intervals: []))
        XCTAssertNil(receive(try strap.heart(62)))
    }

    func testFastSensor_isThinnedOut_andTheNewestValueIsSent() throws {
        subscribe()
        XCTAssertNotNil(receive(try strap.heart(60)))
        for rate in 61...70 {
            XCTAssertNil(
                receive(try strap.heart(Double(rate)), try strap.interval(1), after: 0.01))
        }
        let packet = passToTimer()
        XCTAssertEqual(
            packet, .heart(rate: 70, intervals: Array(repeating: 1_024, count: 10)))
    }

    func testNobody_isWokenForNothing() throws {
        XCTAssertNil(receive(try strap.heart(61), try strap.interval(1)))
        XCTAssertNil(relay.wakeTime)
        // Who subscribes now gets the next value and its intervals, not the last ones.
        XCTAssertNil(relay.subscriptionChanged(to: true, at: now))
        XCTAssertEqual(relay.wakeTime, now.adding(seconds: 5))
        XCTAssertEqual(
            receive(try strap.heart(62), try strap.interval(0.5)),
            .heart(rate: 62, intervals: [512]))
        XCTAssertNil(relay.subscriptionChanged(to: false, at: now))
        XCTAssertNil(relay.wakeTime)
    }

    func testHeartRate_thatIsNone_isNotSent() throws {
        subscribe()
        for rate in [0, -1, 70_000, 1e300] { XCTAssertNil(receive(try strap.heart(rate))) }
        XCTAssertNil(receive(try strap.interval(1)))
    }
}
