import Foundation
import HealthModel
import HealthStatistics
import XCTest

/// Tests for types whose kind is known at compile time.
final class SampleTypeTests: XCTestCase {
    /// A constant of the wrong kind traps.
    func testEveryConstant_isOfItsKind_andNoneIsMissing() {
        let counts: [SampleType<CumulativeQuantity>] = [
            .stepCount, .pushCount, .flightsClimbed, .distanceWalkingRunning, .distanceCycling,
            .distanceSwimming, .swimmingStrokeCount, .activeEnergyBurned, .basalEnergyBurned,
            .dietaryEnergyConsumed, .appleExerciseTime, .appleMoveTime, .appleStandTime,
        ]
        let readings: [SampleType<DiscreteQuantity>] = [
            .heartRate, .rrInterval, .restingHeartRate, .walkingHeartRateAverage,
            .heartRateVariabilitySDNN, .heartRateRecoveryOneMinute, .atrialFibrillationBurden,
            .peripheralPerfusionIndex, .vo2Max, .oxygenSaturation, .bloodPressureSystolic,
            .bloodPressureDiastolic, .physicalEffort, .runningSpeed, .walkingSpeed, .cyclingSpeed,
            .runningPower, .cyclingPower, .cyclingFunctionalThresholdPower, .runningStrideLength,
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

    func testSumOfSteps_compiles_andSumOfHeartRatesDoesNot() throws {
        let day = "(samples: [QuantitySample], day: Range<Instant>) throws -> Quantity?"
        func snippet(_ figure: String, _ type: String) -> String {
            "import HealthModel\nimport HealthStatistics\n"
                + "func a\(day) { try Statistics.\(figure)(of: samples, .\(type), in: day) }\n"
        }
        for (figure, right, wrong) in [
            ("sum", "stepCount", "heartRate"), ("average", "heartRate", "stepCount"),
        ] {
            XCTAssertEqual(try errors(in: snippet(figure, right)), "", figure)
            let text = try errors(in: snippet(figure, wrong))
            XCTAssertTrue(
                text.contains("'\(wrong)'") && text.contains("'CumulativeQuantity'"),
                "\(figure): \(text)")
        }
    }

    /// The errors of the compiler for a source that uses the built module; empty when there are
    /// none.
    private func errors(in text: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("pulsegate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("snippet.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: try Self.compiler())
        compiler.arguments = [
            "-typecheck", "-swift-version", "6", "-module-cache-path", folder.path,
            "-I", try Self.modules(),
        ]
        // The C modules that the lower modules import.
        compiler.arguments? += ["-I", "\(Self.cLibraries)/CEpoll"]
        for module in ["CThreads", "CStart", "CFileLocks", "CProcess"] {
            let map = "\(try Self.modules())/../\(module).build/module.modulemap"
            compiler.arguments? += ["-Xcc", "-fmodule-map-file=\(map)"]
        }
        compiler.arguments?.append(file.path)
        let output = Pipe()
        compiler.standardError = output
        try compiler.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        let said = String(decoding: bytes, as: UTF8.self)
        if compiler.terminationStatus == 0 { return "" }
        return said.isEmpty ? "status \(compiler.terminationStatus)" : said
    }

    private static let cLibraries = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/CLibraries").path

    private static func compiler() throws -> String {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        let found = folders.map { "\($0)/swiftc" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else {
            throw XCTSkip("swiftc is not in PATH; add the folder of the toolchain to it")
        }
        return found
    }

    /// The folder of the built modules, beside the test bundle.
    private static func modules() throws -> String {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("Modules").path
        guard FileManager.default.fileExists(atPath: "\(folder)/HealthModel.swiftmodule") else {
            throw XCTSkip("no modules in \(folder); build with `swift build --build-tests`")
        }
        return folder
    }
}
