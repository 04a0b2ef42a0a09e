import Platform
import XCTest

@testable import Alerts

final class AlertRulesTests: XCTestCase {
    private func at(_ seconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private func strap(
        battery: Double? = nil, silent: Double? = 0, person: String? = "ada"
    ) -> AlertFacts.Device {
        AlertFacts.Device(
            identifier: "D0", name: "Polar", person: person, battery: battery,
            silentSeconds: silent)
    }

    private func facts(
        _ device: AlertFacts.Device, workout seconds: Double? = nil, of person: String = "ada"
    ) -> AlertFacts {
        var facts = AlertFacts(devices: [device])
        facts.workoutSeconds[person] = seconds
        return facts
    }

    private func looks(
        _ looks: [AlertFacts], _ limits: AlertLimits = AlertLimits(), every seconds: Int64 = 30
    ) -> [[String]] {
        var rules = AlertRules(limits)
        return looks.enumerated().map { index, facts in
            rules.look(at: facts, at: at(Int64(index) * seconds)).map { "\($0.id) \($0.state)" }
        }
    }

    func testBattery_isRaisedOnce_andOverWhenItIsClearlyAboveTheLimit() {
        let charges: [Double?] = [0.5, 0.1, 0.09, 0.02, 0.12, 0.149, 0.16, 0.09, nil]
        XCTAssertEqual(
            looks(charges.map { facts(strap(battery: $0)) }),
            [
                [], [], ["battery-low:D0 raised"], [], [], [], ["battery-low:D0 cleared"],
                ["battery-low:D0 raised"], ["battery-low:D0 cleared"],
            ])
    }

    func testDeviceThatIsGone_endsItsAlerts() {
        XCTAssertEqual(
            looks([facts(strap(battery: 0)), AlertFacts()]),
            [["battery-low:D0 raised"], ["battery-low:D0 cleared"]])
    }

    func testSilence_countsInTheRunningWorkoutOfThePerson_ofADeviceThatWasUsed() {
        let silent = strap(silent: 60)
        for (facts, isAlert) in [
            (facts(silent, workout: 300), true), (facts(strap(silent: 59.9), workout: 300), false),
            (facts(silent), false), (facts(silent, workout: 300, of: "bob"), false),
            (facts(strap(silent: nil), workout: 300), false),
            // Before its start it was not worn for longer than ten minutes.
            (facts(strap(silent: 900), workout: 300), true),
            (facts(strap(silent: 901), workout: 300), false),
            (facts(strap(silent: 60, person: nil), workout: 300), false),
        ] {
            XCTAssertEqual(looks([facts])[0], isAlert ? ["no-data:D0 raised"] : [], "\(facts)")
        }
        XCTAssertEqual(
            looks([facts(silent, workout: 300), facts(silent)])[1], ["no-data:D0 cleared"])
    }

    func testFailures_areAlertsAfterTheTime_andBeginAnew() {
        var failing = AlertFacts()
        failing.sinks = [.init(name: "server", failure: "refused"), .init(name: "store")]
        failing.sources = [.init(name: "straps", failure: "no adapter")]
        var working = failing
        working.sinks[0].failure = nil
        XCTAssertEqual(
            looks([failing, failing, failing, working, failing, failing], every: 1_800),
            [
                [], [], ["sink-failing:server raised", "source-failing:straps raised"],
                ["sink-failing:server cleared"], [], [],
            ])
    }

    func testMessage_saysWhat_andLine_isJSON() throws {
        var rules = AlertRules(AlertLimits())
        let alert = try XCTUnwrap(rules.look(at: facts(strap(battery: 0.08)), at: at(0)).first)
        XCTAssertEqual(
            String(decoding: alert.line, as: UTF8.self),
            #"{"id":"battery-low:D0","kind":"battery-low","subject":"D0","state":"raised","#
                + #""message":"the battery of Polar (D0) is at 8 %"}"# + "\n")
        XCTAssertEqual(alert.variables["PULSEGATE_ALERT_STATE"], "raised")
    }

    func testOddNumbers_doNotTrap() {
        for number in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
            _ = looks([facts(strap(battery: number, silent: number), workout: number)])
        }
    }
}
