import GatewayCore
import HealthModel
import Platform
import XCTest

@testable import Rebroadcast

/// Records of a person's strap.
struct StrapRecords {
    var person = "ada"
    var device = "D0:11:22:33:44:55"
    var time = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)

    func heart(_ rate: Double, age: Double = 0) throws -> Record {
        try sample(.heartRate, rate, .countPerMinute, age)
    }

    func interval(_ seconds: Double) throws -> Record {
        try sample(.rrInterval, seconds, .second, 0)
    }

    func event(contact: Bool? = nil, connection: DeviceState.Connection? = nil) -> Record {
        .event(
            DeviceEvent(
                id: RecordID(high: 1, low: .random(in: 0 ... .max)), at: time,
                device: Device(localIdentifier: device), person: person,
                state: DeviceState(connection: connection, contact: contact)))
    }

    private func sample(
        _ type: QuantityType, _ value: Double, _ unit: HealthModel.Unit, _ age: Double
    ) throws -> Record {
        let end = Instant(
            nanosecondsSince1970: time.nanosecondsSince1970 - Int64(age * 1_000_000_000))
        return .sample(
            try QuantitySample(
                id: RecordID(high: 1, low: .random(in: 0 ... .max)), type: type, start: end,
                end: end,
                quantity: Quantity(value, unit), person: person,
                device: Device(localIdentifier: device)))
    }
}
