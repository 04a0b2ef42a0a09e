import HealthModel
import XCTest

/// Compares the table with HealthKit's header and HealthKitOnFHIR's mapping.
final class QuantityTypeTableTests: XCTestCase {
    /// Name, style by its first letters, unit, LOINC, UCUM.
    ///
    /// Units that differ from the header's on purpose: `count/min` of heart rate and respiratory rate. A
    /// UCUM unit that differs from the mapping's: `kcal/hr/kg` is not valid.
    private static let facts = """
        heartRate temporally count/min 8867-4 /min
        restingHeartRate arithmetic count/min 40443-4 /min
        walkingHeartRateAverage arithmetic count/min - /min
        heartRateVariabilitySDNN arithmetic ms 80404-7 ms
        heartRateRecoveryOneMinute arithmetic count/min - /min
        atrialFibrillationBurden temporally % - %
        peripheralPerfusionIndex arithmetic % 61006-3 %
        vo2Max arithmetic mL/min·kg - mL/kg/min
        stepCount cumulative count 55423-8 -
        pushCount cumulative count - -
        flightsClimbed cumulative count 100304-5 -
        distanceWalkingRunning cumulative m - m
        distanceCycling cumulative m - m
        distanceSwimming cumulative m 93816-7 m
        distanceRowing cumulative m - -
        swimmingStrokeCount cumulative count - -
        activeEnergyBurned cumulative kcal 41981-2 kcal
        basalEnergyBurned cumulative kcal - kcal
        dietaryEnergyConsumed cumulative kcal 9052-2 kcal
        appleExerciseTime cumulative min - min
        appleMoveTime cumulative min - min
        appleStandTime cumulative min - min
        physicalEffort arithmetic kcal/hr·kg - kcal/h/kg
        runningSpeed arithmetic m/s - m/s
        walkingSpeed arithmetic m/s - m/s
        cyclingSpeed arithmetic m/s - m/s
        rowingSpeed arithmetic m/s - -
        runningPower arithmetic W - W
        cyclingPower arithmetic W - W
        cyclingFunctionalThresholdPower arithmetic W - W
        runningStrideLength arithmetic m - m
        walkingStepLength arithmetic m - m
        runningGroundContactTime arithmetic ms - ms
        runningVerticalOscillation arithmetic cm - m
        cyclingCadence arithmetic count/min - /min
        bodyMass arithmetic kg 29463-7 kg
        leanBodyMass arithmetic kg 91557-9 kg
        height arithmetic m 8302-2 cm
        bodyMassIndex arithmetic count 39156-5 kg/m2
        bodyFatPercentage arithmetic % 41982-0 %
        oxygenSaturation arithmetic % 59408-5 %
        respiratoryRate arithmetic count/min 9279-1 /min
        bodyTemperature arithmetic degC 8310-5 Cel
        basalBodyTemperature arithmetic degC - Cel
        bloodPressureSystolic arithmetic mmHg 8480-6 mm[Hg]
        bloodPressureDiastolic arithmetic mmHg 8462-4 mm[Hg]
        bloodGlucose arithmetic mg/dL 41653-7 mg/dL
        workoutEffortScore arithmetic appleEffortScore - -
        estimatedWorkoutEffortScore arithmetic appleEffortScore - -
        environmentalAudioExposure level dBASPL - -
        headphoneAudioExposure level dBASPL - -
        """

    private static let styles: [Substring: QuantityType.AggregationStyle] = [
        "temporally": .discreteTemporallyWeighted, "arithmetic": .discreteArithmetic,
        "cumulative": .cumulative, "level": .discreteEquivalentContinuousLevel,
    ]

    func testEveryTypeOfHealthKit_hasStyleUnitAndCodesOfItsSource() throws {
        let rows = Self.facts.split(separator: "\n").map { $0.split(separator: " ") }
        for row in rows {
            let type = try XCTUnwrap(QuantityTypes.standard.named(String(row[0])), "\(row[0])")
            XCTAssertEqual(type.aggregationStyle, Self.styles[row[1]], type.name)
            XCTAssertEqual(type.canonicalUnit, try Unit(parsing: String(row[2])), type.name)
            XCTAssertEqual(type.loinc, row[3] == "-" ? nil : String(row[3]), type.name)
            XCTAssertEqual(type.ucum, row[4] == "-" ? nil : String(row[4]), type.name)
            XCTAssertNotNil(type.healthKitIdentifier, type.name)
        }
        let own = QuantityType.all.filter { $0.healthKitIdentifier == nil }.map(\.name)
        XCTAssertEqual(
            own.sorted(),
            [
                "accelerationX", "accelerationY", "accelerationZ", "electrocardiogramVoltage",
                "rrInterval", "runningCadence",
            ])
        XCTAssertEqual(
            Set(QuantityType.all.map(\.name)), Set(rows.map { String($0[0]) } + own))
    }

    /// A constant without a row traps.
    func testEveryConstant_hasItsRow() {
        let constants: [QuantityType] = [
            .heartRate, .rrInterval, .restingHeartRate, .walkingHeartRateAverage,
            .heartRateVariabilitySDNN, .heartRateRecoveryOneMinute, .atrialFibrillationBurden,
            .peripheralPerfusionIndex, .electrocardiogramVoltage, .vo2Max, .oxygenSaturation,
            .accelerationX, .accelerationY, .accelerationZ,
            .bloodPressureSystolic,
            .bloodPressureDiastolic, .stepCount, .pushCount, .flightsClimbed,
            .distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceRowing,
            .swimmingStrokeCount,
            .activeEnergyBurned, .basalEnergyBurned, .dietaryEnergyConsumed, .appleExerciseTime,
            .appleMoveTime, .appleStandTime, .physicalEffort, .runningSpeed, .walkingSpeed,
            .cyclingSpeed, .rowingSpeed, .runningPower, .cyclingPower,
            .cyclingFunctionalThresholdPower,
            .runningStrideLength, .walkingStepLength, .runningGroundContactTime,
            .runningVerticalOscillation, .runningCadence, .cyclingCadence, .workoutEffortScore,
            .estimatedWorkoutEffortScore, .bodyMass, .leanBodyMass, .height, .bodyMassIndex,
            .bodyFatPercentage, .respiratoryRate, .bodyTemperature, .basalBodyTemperature,
            .bloodGlucose, .environmentalAudioExposure, .headphoneAudioExposure,
        ]
        XCTAssertEqual(Set(constants), Set(QuantityType.all))
        XCTAssertEqual(constants.count, QuantityType.all.count)
    }

    func testPercent_97IsAFractionOf1_soThatAPercentageOf97IsNotPlausible() throws {
        let fraction = try Quantity(0.97, .percent)
        XCTAssertEqual(try fraction.value(in: .count), 0.97)
        for type in [QuantityType.oxygenSaturation, .bodyFatPercentage, .atrialFibrillationBurden] {
            XCTAssertEqual(type.canonicalUnit, .percent)
            XCTAssertEqual(type.plausibleRange, 0...1, type.name)
        }
    }

    func testRawStrings_areHealthKitsAndNotTheConstantsNames() {
        XCTAssertEqual(
            QuantityTypes.standard.named("HKQuantityTypeIdentifierVO2Max"), QuantityType.vo2Max)
        XCTAssertEqual(
            QuantityTypes.standard.named("HKQuantityTypeIdentifierBodyMassIndex"),
            QuantityType.bodyMassIndex)
        XCTAssertNil(QuantityTypes.standard.named("HKQuantityTypeIdentifierVo2Max"))
        XCTAssertNil(QuantityTypes.standard.named("HKQuantityTypeIdentifierRrInterval"))
    }
}
