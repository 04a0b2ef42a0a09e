import Foundation
import HealthModel
import SQLiteStore
import XCTest

@testable import Doctor

/// Findings about adopted devices that are not seen, and about the clock.
final class DeviceFindingTests: XCTestCase {
    private static let now = Instant(iso8601: "2026-12-24T12:00:00Z")

    private func makePatient() throws -> (Patient, now: Instant) {
        var patient = try Patient()
        let now = try XCTUnwrap(Self.now)
        patient.system.now = { now }
        return (patient, now)
    }

    private func seen(_ patient: Patient, at time: Instant) async throws {
        let device = Device(localIdentifier: Patient.strap)
        let event = DeviceEvent(
            id: RecordID(high: 0x0198_F3C2_0123_8ABC, low: UInt64(time.nanosecondsSince1970 >> 8)),
            at: time, device: device, source: SourceRevision(name: "s"), person: nil,
            state: DeviceState(connection: .connected), reason: nil)
        try patient.makeDataDirectory()
        let path = "\(patient.dataDirectory)/health.sqlite"
        let store = try SQLiteStore(path: path)
        _ = try await store.save([.event(event)])
    }

    func testDevice_thatIsNotSeenForAWeek_isFound_untilItIsSeen() async throws {
        let (patient, now) = try makePatient()
        try patient.adopt()
        let finding = try await patient.finding(.deviceNotSeen)
        XCTAssertEqual(
            finding?.text, "\(Patient.strap) is adopted, but was not seen for 7 days")
        XCTAssertEqual(finding?.severity, .problem)

        try await seen(patient, at: now.adding(nanoseconds: -8 * 24 * 3_600 * 1_000_000_000))
        let old = try await patient.finding(.deviceNotSeen)
        XCTAssertNotNil(old)
        try await seen(patient, at: now.adding(nanoseconds: -24 * 3_600 * 1_000_000_000))
        let report = try await patient.report()
        XCTAssertFalse(report.findings.contains { $0.kind == .deviceNotSeen })
        XCTAssertTrue(report.well.contains("devices: 1 of 1 seen in the last 7 days"))
    }

    func testDevice_whoseSampleIsNew_isSeen() async throws {
        let (patient, now) = try makePatient()
        try patient.adopt()
        try patient.makeDataDirectory()
        let store = try SQLiteStore(path: "\(patient.dataDirectory)/health.sqlite")
        let sample = try QuantitySample(
            id: RecordID(high: 0x0198_F3C2_0123_8ABC, low: 0x9DEF_00FF_0000_0001),
            type: .heartRate, start: now, end: now, quantity: Quantity(72, .countPerMinute),
            device: Device(localIdentifier: Patient.strap))
        _ = try await store.save([.sample(sample)])
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.deviceNotSeen))
    }

    func testDevice_thatIsNew_isNotMissed() async throws {
        let (patient, _) = try makePatient()
        try patient.adopt(since: "2026-12-20T12:00:00.000Z")
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.deviceNotSeen))
    }

    func testOneOfSeveralDevices_isAdvice() {
        let facts = DeviceFacts(devices: [
            .init(identifier: "a", isSeen: true), .init(identifier: "b", isSeen: false),
        ])
        XCTAssertEqual(facts.findings.map(\.severity), [.advice])
    }

    func testClock_thatIsNotSet_isFound_untilItIs() async throws {
        var patient = try Patient()
        try patient.adopt()
        patient.system.now = { Instant(nanosecondsSince1970: 0) }
        let finding = try await patient.finding(.clockUnset)
        XCTAssertTrue(finding?.text.contains("1970-01-01") == true)
        XCTAssertEqual(finding?.fix.command, "sudo timedatectl set-ntp true")
        let now = try XCTUnwrap(Self.now)
        patient.system.now = { now }
        patient.system.isSynchronized = { false }
        var kinds = try await patient.kinds()
        XCTAssertTrue(kinds.contains(.clockUnsynchronized))
        XCTAssertFalse(kinds.contains(.clockUnset))
        patient.system.isSynchronized = { true }
        kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.clockUnsynchronized))
    }
}
