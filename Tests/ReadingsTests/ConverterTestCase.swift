import HealthModel
import XCTest

@testable import Platform
@testable import Readings

/// A converter of one device with its results.
class ConverterTestCase: XCTestCase {
    let epoch = ClockEpoch(number: 0, offsetNanoseconds: 1_795_000_000_000_000_000)
    let source = SourceRevision(name: "foot", version: "1")

    func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds * 1e9))
    }

    func makeConverter() -> Converter {
        Converter(device: "/dev/ttyUSB0", source: source, person: "ada")
    }

    func heartRate(_ value: Double, at seconds: Double) throws -> TimedReading {
        TimedReading(.instant(.heartRate, try Quantity(value, .countPerMinute)), at: at(seconds))
    }

    func samples(_ conversion: Conversion) -> [QuantitySample] {
        conversion.records.compactMap { record in
            guard case .sample(let sample) = record else { return nil }
            return sample
        }
    }

    func events(_ conversion: Conversion) -> [DeviceEvent] {
        conversion.records.compactMap { record in
            guard case .event(let event) = record else { return nil }
            return event
        }
    }
}
