import GatewayCore
import HealthModel
import Workouts
import XCTest

/// The live heart rate, which is never stale.
final class LiveHeartTests: XCTestCase {
    func testHeart_beforeAnythingWasSeen_isWaiting() throws {
        var maker = WorkoutMaker()
        maker.device(0, .connected)

        XCTAssertEqual(maker.live(1).heart, .waiting)
    }

    func testHeart_whileFresh_isTheRateWithItsZone() throws {
        var maker = WorkoutMaker(subject: try WorkoutMaker.ada())
        try maker.rate(150, 10)

        // The maximum is 208 − 0.7 · 40 = 180.
        XCTAssertEqual(
            maker.live(14.9).heart, .rate(150, zone: 4, device: "strap", isBackup: false))
    }

    func testHeart_afterFiveSecondsOfSilence_isLost() throws {
        var maker = WorkoutMaker()
        try maker.rate(150, 10)

        XCTAssertEqual(maker.live(15).heart, .lost(device: "strap"))
    }

    func testHeart_whenTheLinkIsLost_isLostImmediately() throws {
        for connection in [DeviceState.Connection.disconnected, .stale] {
            var maker = WorkoutMaker()
            try maker.rate(150, 10)
            maker.device(11, connection)

            XCTAssertEqual(maker.live(11).heart, .lost(device: "strap"))
        }
    }

    func testHeart_afterANewLink_isNotTheOldRate() throws {
        var maker = WorkoutMaker()
        try maker.rate(150, 10)
        maker.device(11, .disconnected)
        maker.device(12, .connected)

        XCTAssertEqual(maker.live(12).heart, .lost(device: "strap"))
        try maker.rate(140, 13)
        XCTAssertEqual(
            maker.live(13).heart, .rate(140, zone: nil, device: "strap", isBackup: false))
    }

    func testHeart_withoutContact_reportsIt_untilThereIsARateAgain() throws {
        var maker = WorkoutMaker()
        try maker.rate(150, 10)
        maker.device(11, contact: false)
        XCTAssertEqual(maker.live(11).heart, .noContact(device: "strap"))
        XCTAssertEqual(maker.live(100).heart, .noContact(device: "strap"))

        maker.device(101, contact: true)
        try maker.rate(140, 101)

        XCTAssertEqual(
            maker.live(101).heart, .rate(140, zone: nil, device: "strap", isBackup: false))
    }

    func testHeart_withoutContactFromTheBeginning_reportsIt() throws {
        var maker = WorkoutMaker()
        maker.device(0, .connected)
        maker.device(1, contact: false)

        XCTAssertEqual(maker.live(1).heart, .noContact(device: "strap"))
    }

    func testHeart_whenAnotherDeviceIsLost_stays() throws {
        var maker = WorkoutMaker()
        try maker.rate(150, 10)
        maker.device(11, .disconnected, from: "pod")

        XCTAssertEqual(
            maker.live(12).heart, .rate(150, zone: nil, device: "strap", isBackup: false))
    }

    func testHeart_whenThePrimaryIsLost_isTheBackupImmediately_andThePrimaryAfterFiveSteadySeconds()
        throws
    {
        var maker = WorkoutMaker(
            subject: WorkoutSubject(roles: ["strap": .primary, "band": .backup]))
        for second in 0...20 {
            try maker.rate(100, Double(second), from: "band")
            if second <= 10 { try maker.rate(150, Double(second)) }
        }
        XCTAssertEqual(
            maker.live(12).heart, .rate(150, zone: nil, device: "strap", isBackup: false))
        maker.device(20, .disconnected)
        XCTAssertEqual(
            maker.live(20).heart, .rate(100, zone: nil, device: "band", isBackup: true))
        for second in 21...26 {
            try maker.rate(100, Double(second), from: "band")
            try maker.rate(150, Double(second))
            let isBack = second == 26
            XCTAssertEqual(
                maker.live(Double(second)).heart,
                .rate(
                    isBack ? 150 : 100, zone: nil, device: isBack ? "strap" : "band",
                    isBackup: !isBack))
        }
    }

    func testHeart_ofAnotherPerson_isNotShown() throws {
        var maker = WorkoutMaker()
        let other = try QuantitySample(
            id: RecordID(high: 1, low: 1), type: .heartRate, start: SampleMaker.at(1),
            end: SampleMaker.at(1), quantity: Quantity(99, .countPerMinute), person: "bob")

        maker.tell(other)

        XCTAssertEqual(maker.live(1).heart, .waiting)
    }

    func testSpeedCadenceAndPower_areShownForTenSeconds() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.tell(.runningSpeed, 3, 1)
        try maker.tell(.runningCadence, 170, 2)
        try maker.tell(.runningPower, 250, 3)

        XCTAssertEqual(maker.live(10.9).speed, 3)
        XCTAssertNil(maker.live(11).speed)
        XCTAssertEqual(maker.live(11).cadence, 170)
        XCTAssertNil(maker.live(12).cadence)
        XCTAssertEqual(maker.live(12).power, 250)
        XCTAssertNil(maker.live(13).power)
    }

    func testPlot_hasAPointForTwoSeconds_ofTheLastTenMinutes() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for second in 0...1_000 { try maker.rate(100 + Double(second % 50), Double(second)) }

        let plot = maker.live(1_000).plot

        XCTAssertEqual(plot.count, 301)
        XCTAssertEqual(plot.first?.secondsAgo, 600)
        XCTAssertEqual(plot.last, LiveWorkout.Point(secondsAgo: 0, rate: 100))
    }

    func testZones_atTheSameRate_areThoseOfThePerson() throws {
        let day = try XCTUnwrap(CalendarDate(iso8601: "2026-11-22"))
        var zones: [Int?] = []
        for birthDate in ["1960-01-01", "2005-01-01"] {
            let person = try Person(name: "ada", birthDate: CalendarDate(iso8601: birthDate))
            var maker = WorkoutMaker(subject: WorkoutSubject(person, on: day))
            try maker.rate(150, 1)
            guard case .rate(_, let zone, _, _) = maker.live(1).heart else { return XCTFail() }
            zones.append(zone)
        }

        // 208 − 0.7 · 66 = 161.8, of which 150 is 92.7 %; 208 − 0.7 · 21 = 193.3, of which it is 77.6 %.
        XCTAssertEqual(zones, [5, 3])
    }
}
