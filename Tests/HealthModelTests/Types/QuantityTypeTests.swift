import HealthModel
import XCTest

final class QuantityTypeTests: XCTestCase {
    func testAll_hasUniqueNamesThatAreFound() {
        XCTAssertEqual(QuantityType.all.count, 57)
        XCTAssertEqual(Set(QuantityType.all.map(\.name)).count, QuantityType.all.count)
        for type in QuantityType.all {
            XCTAssertEqual(QuantityTypes.standard.named(type.name), type)
            if let identifier = type.healthKitIdentifier {
                XCTAssertEqual(QuantityTypes.standard.named(identifier), type)
            }
        }
        XCTAssertNil(QuantityTypes.standard.named("HeartRate"))
        XCTAssertNil(QuantityTypes.standard.named(""))
    }

    func testAll_hasNamesThatNeedNoEscape() {
        for type in QuantityType.all {
            XCTAssertTrue(type.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
    }

    func testAll_hasUnitsThatFitEachOther() {
        for type in QuantityType.all {
            XCTAssertTrue(type.displayUnit.isCompatible(with: type.canonicalUnit), type.name)
            XCTAssertEqual(try Unit(parsing: type.canonicalUnit.string), type.canonicalUnit)
        }
    }

    func testAll_hasSaneBounds() {
        // Only voltages and accelerations have a sign.
        let signed: [QuantityType] = [
            .electrocardiogramVoltage, .accelerationX, .accelerationY, .accelerationZ,
        ]
        for type in QuantityType.all {
            let range = type.plausibleRange
            let isSigned = signed.contains(type)
            XCTAssertTrue(
                range.map { (isSigned || $0.lowerBound >= 0) && $0.upperBound > $0.lowerBound }
                    ?? false, type.name)
            XCTAssertTrue(type.maximumRate.map { $0 > 0 } ?? true, type.name)
            XCTAssertTrue(
                type.maximumRate == nil || type.aggregationStyle == .cumulative, type.name)
        }
    }

    func testHealthKitIdentifier_followsTheName() {
        XCTAssertEqual(
            QuantityType.heartRate.healthKitIdentifier, "HKQuantityTypeIdentifierHeartRate")
        XCTAssertEqual(QuantityType.vo2Max.healthKitIdentifier, "HKQuantityTypeIdentifierVO2Max")
        XCTAssertEqual(
            QuantityType.appleStandTime.healthKitIdentifier,
            "HKQuantityTypeIdentifierAppleStandTime")
        XCTAssertNil(QuantityType.rrInterval.healthKitIdentifier)
        XCTAssertNil(QuantityType.runningCadence.healthKitIdentifier)
    }

    func testHeartRate_hasItsFacts() {
        let type = QuantityType.heartRate
        XCTAssertEqual(type.aggregationStyle, .discreteTemporallyWeighted)
        XCTAssertEqual(type.canonicalUnit, .countPerMinute)
        XCTAssertEqual(type.plausibleRange, 20...300)
        XCTAssertEqual(type.loinc, "8867-4")
        XCTAssertEqual(type.ucum, "/min")
    }

    func testOtherTypes_haveTheirFacts() {
        XCTAssertEqual(QuantityType.rrInterval.canonicalUnit, .millisecond)
        XCTAssertEqual(QuantityType.rrInterval.plausibleRange, 250...3_000)
        XCTAssertEqual(QuantityType.rrInterval.aggregationStyle, .discreteArithmetic)
        XCTAssertEqual(QuantityType.stepCount.aggregationStyle, .cumulative)
        XCTAssertEqual(QuantityType.stepCount.maximumRate, 5)
        XCTAssertEqual(QuantityType.stepCount.plausibleRange, 0...1_000_000)
        XCTAssertEqual(QuantityType.distanceWalkingRunning.maximumRate, 12)
        XCTAssertEqual(QuantityType.activeEnergyBurned.maximumRate, 1)
        XCTAssertEqual(QuantityType.distanceWalkingRunning.displayUnit, .kilometer)
        XCTAssertEqual(QuantityType.runningCadence.canonicalUnit, .countPerMinute)
        XCTAssertEqual(
            QuantityType.environmentalAudioExposure.aggregationStyle,
            .discreteEquivalentContinuousLevel)
    }
}
