import HealthModel
import HealthStatistics
import XCTest

/// Tests for types whose kind is known at compile time.
final class SampleTypeTests: XCTestCase {
    /// A constant of the wrong kind traps.
    func testEveryConstant_isOfItsKind_andNoneIsMissing() {
        let counts: [SampleType<CumulativeQuantity>] = [
            .stepCount, .pushCount, .flightsClimbed, .distanceWalkingRunning, .distanceCycling,
            .distanceSwimming, .distanceRowing, .swimmingStrokeCount, .activeEnergyBurned,
            .basalEnergyBurned,
            .dietaryEnergyConsumed, .appleExerciseTime, .appleMoveTime, .appleStandTime,
        ]
        let readings: [SampleType<DiscreteQuantity>] = [
            .heartRate, .rrInterval, .restingHeartRate, .walkingHeartRateAverage,
            .heartRateVariabilitySDNN, .heartRateRecoveryOneMinute, .atrialFibrillationBurden,
            .peripheralPerfusionIndex, .electrocardiogramVoltage, .vo2Max, .oxygenSaturation,
            .accelerationX, .accelerationY, .accelerationZ,
            .bloodPressureSystolic,
            .bloodPressureDiastolic, .physicalEffort, .runningSpeed, .walkingSpeed, .cyclingSpeed,
            .rowingSpeed, .runningPower, .cyclingPower, .cyclingFunctionalThresholdPower,
            .runningStrideLength,
            .walkingStepLength, .runningGroundContactTime, .runningVerticalOscillation,
            .runningCadence, .cyclingCadence, .workoutEffortScore, .estimatedWorkoutEffortScore,
            .bodyMass, .leanBodyMass, .height, .bodyMassIndex, .bodyFatPercentage, .respiratoryRate,
            .bodyTemperature, .basalBodyTemperature, .bloodGlucose, .environmentalAudioExposure,
            .headphoneAudioExposure,
        ]
        XCTAssertEqual(
            Set(counts.map(\.quantityType) + readings.map(\.quantityType)), Set(QuantityType.all))
        XCTAssertEqual(counts.count + readings.count, QuantityType.all.count)
    }

    func testInit_whenTheTypeIsOfAnotherKind_isNil() throws {
        XCTAssertNil(SampleType<CumulativeQuantity>(.heartRate))
        XCTAssertNil(SampleType<DiscreteQuantity>(.stepCount))
        XCTAssertEqual(SampleType<CumulativeQuantity>(.stepCount), .stepCount)
        let custom = try QuantityType(custom: "jumps", aggregationStyle: .cumulative, unit: .count)
        XCTAssertEqual(SampleType<CumulativeQuantity>(custom)?.quantityType, custom)
        XCTAssertEqual(SampleType<DiscreteQuantity>.heartRate.description, "heartRate")
    }

    func testFigures_areThoseOfTheStatistics() throws {
        let start = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
        func sample(_ type: QuantityType, _ value: Double, _ second: Int64) throws -> QuantitySample
        {
            let start = start.adding(nanoseconds: second * 1_000_000_000)
            return try QuantitySample(
                id: RecordID.make(start: start, device: "d", stream: type.name, key: 1), type: type,
                start: start,
                end: type.isCumulative ? start.adding(nanoseconds: 1_000_000_000) : start,
                quantity: Quantity(value, type.canonicalUnit))
        }
        let samples = [
            try sample(.stepCount, 3, 0), try sample(.bodyMass, 60, 1),
            try sample(.stepCount, 4, 2),
            try sample(.bodyMass, 64, 3),
        ]
        let span = start..<start.adding(nanoseconds: 10_000_000_000)
        XCTAssertEqual(try Statistics.sum(of: samples, .stepCount, in: span)?.value, 7)
        XCTAssertEqual(try Statistics.average(of: samples, .bodyMass, in: span)?.value, 62)
        XCTAssertEqual(try Statistics.minimum(of: samples, .bodyMass, in: span)?.value, 60)
        XCTAssertEqual(try Statistics.maximum(of: samples, .bodyMass, in: span)?.value, 64)
        XCTAssertNil(try Statistics.sum(of: samples, .pushCount, in: span))
    }
}
