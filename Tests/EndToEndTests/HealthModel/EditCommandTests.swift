import Foundation
import GatewayJournal
import GatewayTesting
import HealthModel
import XCTest

/// `edit`: corrections of entered values, with a running gateway and without one.
final class EditCommandTests: XCTestCase {
    private func entered(_ words: String..., in home: Home) async throws -> QuantitySample {
        let outcome = try await home.run(["add"] + words)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let type = try XCTUnwrap(QuantityTypes.standard.named(words[0]))
        let samples = try await home.samples(of: type)
        return try XCTUnwrap(samples.last)
    }

    private func only(_ type: QuantityType, in home: Home) async throws -> QuantitySample {
        let samples = try await home.samples(of: type)
        XCTAssertEqual(samples.count, 1)
        return try XCTUnwrap(samples.first)
    }

    func testValue_isReplaced_andTheRestRemains() async throws {
        let home = try Home()
        let old = try await entered("bodyMass", "81", "kg", "--at", "2026-03-01T08:00Z", in: home)
        let outcome = try await home.run("edit", "\(old.id)", "80.5")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(outcome.error, "")
        XCTAssertTrue(outcome.output.hasPrefix("changed bodyMass 80.5 kg, "), outcome.output)
        let new = try await only(.bodyMass, in: home)
        XCTAssertNotEqual(new.id, old.id)
        XCTAssertEqual(new.quantity.value, 80.5)
        XCTAssertEqual(new.quantity.unit, old.quantity.unit)
        XCTAssertEqual(new.start, old.start)
        XCTAssertEqual(new.metadata, old.metadata)
        XCTAssertEqual(new.person, old.person)
        XCTAssertEqual(try home.ledger().imbalances, [])

        let pounds = try await home.run("edit", "\(new.id)", "180", "lb")
        XCTAssertEqual(pounds.ending, .exited(0), pounds.error)
        let last = try await only(.bodyMass, in: home)
        XCTAssertEqual(last.quantity.unit.string, "lb")
    }

    /// The store keeps the highest version, so a correction is the next one; again and again.
    func testVersionOfAnotherApp_isTheNextOne() async throws {
        let home = try Home()
        var metadata = Metadata()
        try metadata.setSync(identifier: "weight-1", version: 4)
        try metadata.set(true, for: .wasUserEntered)
        let time = Home.fillTime
        try await home.fill([
            .sample(
                try QuantitySample(
                    id: RecordID(high: 0x0199_aaaa_0000_8000, low: 9), type: .bodyMass,
                    start: time, end: time, quantity: Quantity(70, .kilogram), person: "me",
                    source: SourceRevision(name: "scale"), metadata: metadata))
        ])
        for value in ["71", "72", "73"] {
            let old = try await only(.bodyMass, in: home)
            let outcome = try await home.run("edit", "\(old.id)", value)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        let last = try await only(.bodyMass, in: home)
        XCTAssertEqual(last.quantity.value, 73)
        XCTAssertEqual(last.metadata[.syncVersion], 7)
    }

    func testTimes_areReplaced() async throws {
        let home = try Home()
        let meal = try await entered(
            "dietaryEnergyConsumed", "650", "kcal", "--at", "2026-03-01T12:00Z", in: home)
        let moved = try await home.run("edit", "\(meal.id)", "--at", "2026-03-01T13:00Z")
        XCTAssertEqual(moved.ending, .exited(0), moved.error)
        let second = try await only(.dietaryEnergyConsumed, in: home)
        XCTAssertEqual(second.start, Instant(iso8601: "2026-03-01T13:00:00Z"))
        XCTAssertEqual(second.end, Instant(iso8601: "2026-03-01T13:00:01Z"))
        let longer = try await home.run(
            "edit", "\(second.id)", "700", "--from", "2026-03-01T12:30Z", "--at",
            "2026-03-01T13:00Z")
        XCTAssertEqual(longer.ending, .exited(0), longer.error)
        let period = try await only(.dietaryEnergyConsumed, in: home)
        XCTAssertEqual(period.start, Instant(iso8601: "2026-03-01T12:30:00Z"))
        XCTAssertEqual(period.quantity.value, 700)
    }

    func testRunningGateway_sendsTheNewValueToEverySink_andTheDeletionOfTheEarlierOne() async throws
    {
        let home = try Home()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "/dev/pulsegate-missing" },
              protocol: "hxm" } },
              sinks: { store: "sqlite", copy: "stdout" } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "running", on: .error)
        let old = try await entered("bodyMass", "81", "kg", in: home)
        let outcome = try await home.run("edit", "\(old.id)", "79")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(
            outcome.error.contains("the running gateway forwards the deletion to `copy`"),
            outcome.error)
        let new = try await only(.bodyMass, in: home)
        XCTAssertEqual(new.quantity.value, 79)
        try await gateway.waitForLines(with: "\(new.id)", on: .output)
        try await gateway.waitForLines(
            with: #"{"kind":"deletion","id":"\#(old.id)""#, on: .output)
    }

    func testWhatCannotBeCorrected_isRefused_andStays() async throws {
        let home = try Home()
        let old = try await entered("bodyMass", "81", "kg", in: home)
        try await home.fill([Home.heartRate(1), Home.bloodPressure(2)])
        let ofDevice = try Home.heartRate(1).id
        let unknown = RecordID(high: 1, low: 2)
        let cases: [(words: [String], message: String)] = [
            (["\(old.id)"], "nothing to change"), (["\(old.id)", "81"], "nothing to change"),
            (["\(old.id)", "x"], "expected a number"), (["\(old.id)", "80", "m"], "bodyMass"),
            (["\(old.id)", "-1"], "out of range"),
            (["\(old.id)", "80", "--from", "1h"], "only for cumulative types"),
            (["\(ofDevice)", "80"], "was not entered by a person"),
            (["\(unknown)", "80"], "no sample with the id"),
            (["bodyMass", "80"], "expected the id"),
        ]
        for (words, message) in cases {
            let outcome = try await home.run(["edit"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words): \(outcome.error)")
            XCTAssertTrue(outcome.error.contains(message), "\(words): \(outcome.error)")
            XCTAssertEqual(outcome.output, "")
        }
        let left = try await only(.bodyMass, in: home)
        XCTAssertEqual(left, old)
    }

    func testAMember_ofACorrelation_isRefused() async throws {
        let home = try Home()
        var metadata = Metadata()
        try metadata.set(true, for: .wasUserEntered)
        let time = Home.fillTime
        func member(_ type: QuantityType, _ value: Double) throws -> QuantitySample {
            try QuantitySample(
                id: RecordID.make(start: time, device: "hand", stream: type.name, key: 1),
                type: type, start: time, end: time,
                quantity: Quantity(value, .millimeterOfMercury), person: "me", metadata: metadata)
        }
        let systolic = try member(.bloodPressureSystolic, 120)
        try await home.fill([
            .correlation(
                try Correlation(
                    id: RecordID.make(start: time, device: "hand", stream: "pressure", key: 1),
                    type: .bloodPressure, start: time, end: time,
                    samples: [
                        .quantity(systolic), .quantity(try member(.bloodPressureDiastolic, 80)),
                    ], person: "me"))
        ])
        let outcome = try await home.run("edit", "\(systolic.id)", "125")
        XCTAssertEqual(outcome.ending, .exited(64), outcome.error)
        XCTAssertTrue(outcome.error.contains("belongs to a correlation"), outcome.error)
        let count = try await home.count("bloodPressure")
        XCTAssertEqual(count, 1)
    }
}
