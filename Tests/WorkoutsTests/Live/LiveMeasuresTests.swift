import GatewayCore
import HealthModel
import Platform
import Workouts
import XCTest

/// The live statistics of an active workout.
final class LiveMeasuresTests: XCTestCase {
    // MARK: Time

    func testMeasures_ofPrancercise_haveItsTimesAndTheEnergyOfItsRate() throws {
        let activity = try XCTUnwrap(WorkoutActivity(customName: "prancercise"))
        var maker = WorkoutMaker(
            activity, subject: WorkoutSubject(activityKilocaloriesPerHour: 450))
        try maker.start()
        try maker.pause(10)
        XCTAssertEqual(maker.live(13).measures.elapsedSeconds, 13)
        XCTAssertEqual(maker.live(13).measures.activeSeconds, 10)
        try maker.resume(15)
        try maker.stop(25)

        let live = maker.live(99)

        XCTAssertEqual(live.state, .stopped)
        XCTAssertEqual(live.measures.elapsedSeconds, 25)
        XCTAssertEqual(live.measures.activeSeconds, 20)
        XCTAssertEqual(live.measures.energyKilocalories ?? 0, 2.5, accuracy: 1e-12)
        XCTAssertEqual(live.measures.energyMethods, [.ratePerHour])
        XCTAssertEqual(
            maker.builder.energies(at: SampleMaker.at(99)).map(\.span),
            [SampleMaker.span(0, 10), SampleMaker.span(15, 25)])
    }

    func testMeasures_beforeTheStart_areEmpty() throws {
        var maker = WorkoutMaker()
        try maker.rate(100, 1)

        XCTAssertEqual(maker.live(2).measures, WorkoutMeasures())
        XCTAssertEqual(maker.live(2).state, .notStarted)
    }

    // MARK: Heart rate

    func testHeartRate_isAveragedOverTime() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.rate(100, 0)
        try maker.rate(120, 10)
        try maker.rate(120, 40)

        // 10 s at 110 and 30 s at 120.
        XCTAssertEqual(
            maker.live(40).measures.heartRate,
            .init(average: 117.5, minimum: 100, maximum: 120))
    }

    func testWork_isThePowerOverTime_withoutPauses() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.tell(.runningPower, 200, 0)
        try maker.tell(.runningPower, 300, 2)
        try maker.tell(.runningPower, 300, 4)
        try maker.pause(4)
        try maker.tell(.runningPower, 300, 6)
        try maker.resume(8)
        try maker.tell(.runningPower, 100, 8)
        try maker.tell(.runningPower, 100, 9)

        // 2 s at 250 W, 2 s at 300 W and 1 s at 100 W.
        XCTAssertEqual(maker.live(9).measures.workKilojoules ?? 0, 1.2, accuracy: 1e-9)
    }

    func testWork_ofOneReading_isUnknown() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.tell(.runningPower, 200, 1)

        XCTAssertNil(maker.live(2).measures.workKilojoules)
        XCTAssertEqual(maker.live(2).measures.power?.average, 200)
    }

    func testHeartRate_acrossAPauseAndALap_isSplitExactly() throws {
        var maker = WorkoutMaker(subject: try WorkoutMaker.ada())
        try maker.start()
        try maker.rate(100, 0)
        try maker.pause(10)
        try maker.resume(20)
        try maker.lap(30)
        try maker.rate(140, 40)
        try maker.stop(40)

        let live = maker.live(40)

        // From 0 to 10 s it is 100 to 110, from 20 to 40 s it is 120 to 140.
        XCTAssertEqual(
            live.measures.heartRate?.average ?? 0, (10 * 105 + 20 * 130) / 30, accuracy: 1e-9)
        XCTAssertEqual(live.lapNumber, 2)
        XCTAssertEqual(live.lap.heartRate?.average ?? 0, 135, accuracy: 1e-9)
        XCTAssertEqual(live.lap.heartRate?.minimum, 130)
        XCTAssertEqual(live.lap.elapsedSeconds, 10)
        // The boundaries are at 90, 108, 126, 144, 162: 8 s in zone 1 before the pause.
        XCTAssertEqual(live.measures.zoneSeconds.reduce(0, +), 30, accuracy: 1e-9)
        XCTAssertEqual(live.measures.zoneSeconds[1], 8, accuracy: 1e-9)
        XCTAssertEqual(live.measures.zoneSeconds[2], 2 + 6, accuracy: 1e-9)
        XCTAssertEqual(live.measures.zoneSeconds[3], 14, accuracy: 1e-9)
    }

    func testMarks_thatArriveAfterTheSamplesBehindThem_splitExactly() throws {
        var early = WorkoutMaker()
        var late = WorkoutMaker()
        try early.start()
        try late.start()
        try early.lap(95)
        try early.pause(98)
        for second in 0...100 {
            for type in [QuantityType.heartRate, .runningSpeed] {
                try early.tell(type, 60 + Double(second % 7) / 10, Double(second))
                try late.tell(type, 60 + Double(second % 7) / 10, Double(second))
            }
            try early.tell(.stepCount, 3, Double(second), Double(second) + 1)
            try late.tell(.stepCount, 3, Double(second), Double(second) + 1)
        }
        try late.lap(95)
        try late.pause(98)

        XCTAssertEqual(early.live(101), late.live(101))
        XCTAssertEqual(late.live(101).lap.stepCount ?? 0, 9, accuracy: 1e-9)
    }

    func testHeartRate_acrossALongGap_isNotMadeUp() throws {
        var maker = WorkoutMaker(subject: try WorkoutMaker.ada())
        try maker.start()
        for (second, rate) in [(0.0, 100.0), (10, 100), (70.001, 160), (80, 160)] {
            try maker.rate(rate, second)
        }

        XCTAssertEqual(
            maker.live(80).measures.zoneSeconds.reduce(0, +), 19.999, accuracy: 1e-9)
    }

    func testReadings_thatAreNoRatesOfAHeart_orEntered_doNotCount() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.rate(5, 1)
        try maker.rate(999, 2)
        let entered = try QuantitySample(
            id: RecordID(high: 1, low: 1), type: .heartRate, start: SampleMaker.at(3),
            end: SampleMaker.at(3), quantity: Quantity(100, .countPerMinute),
            metadata: Metadata(["HKWasUserEntered": .boolean(true)]))
        maker.tell(entered)

        XCTAssertNil(maker.live(4).measures.heartRate)
        XCTAssertEqual(maker.live(4).heart, .waiting)
    }

    func testSample_fromTheFuture_doesNotCount() throws {
        var maker = WorkoutMaker()
        try maker.start()
        var builder = maker.builder
        var samples = SampleMaker()
        builder.add(
            .sample(try samples.sample(.heartRate, 100, 90_000)), at: SampleMaker.at(1))
        for second in 0...100 {
            builder.add(
                .sample(try samples.sample(.heartRate, 100, Double(second))),
                at: SampleMaker.at(Double(second)))
        }

        let live = builder.snapshot(at: SampleMaker.at(100))

        XCTAssertEqual(live.measures.heartRate?.average, 100)
        XCTAssertEqual(live.heart, .rate(100, zone: nil, device: "strap", isBackup: false))
    }

    // MARK: Counts

    func testCounts_acrossTheStartThePauseAndTheEnd_countWithTheirPart() throws {
        var maker = WorkoutMaker()
        try maker.start(5)
        try maker.tell(.stepCount, 10, 0, 10)
        try maker.pause(12)
        try maker.tell(.stepCount, 10, 10, 20)
        try maker.resume(20)
        try maker.stop(25)
        try maker.tell(.stepCount, 10, 20, 30)
        try maker.tell(.stepCount, 10, 30, 40)

        XCTAssertEqual(maker.live(40).measures.stepCount ?? 0, 5 + 2 + 5, accuracy: 1e-9)
    }

    func testCounts_thatArriveOnceInManyMinutes_countInFull() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for minute in 0..<60 {
            try maker.tell(.heartRate, 100, Double(minute) * 60)
            if minute % 20 == 19 {
                let end = Double(minute + 1) * 60
                try maker.tell(.distanceWalkingRunning, 3_000, end - 1_200, end, from: "pod")
            }
        }

        XCTAssertEqual(maker.live(3_600).measures.distanceMeters, 9_000)
    }

    func testCounts_ofTwoDevices_countOnce_whicheverArrivesFirst() throws {
        for isPrimaryFirst in [true, false] {
            var maker = WorkoutMaker(
                subject: WorkoutSubject(roles: ["pod": .primary, "watch": .backup]))
            try maker.start()
            if isPrimaryFirst { try maker.tell(.stepCount, 100, 10, 60, from: "pod") }
            try maker.tell(.stepCount, 140, 0, 70, from: "watch")
            if !isPrimaryFirst { try maker.tell(.stepCount, 100, 10, 60, from: "pod") }
            try maker.tell(.heartRate, 100, 300)

            // The watch fills 10 s before and 10 s after, at two steps a second.
            XCTAssertEqual(maker.live(300).measures.stepCount ?? 0, 140, accuracy: 1e-9)
        }
    }

    func testCounts_ofOneDeviceThatOverlap_countOnce() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.tell(.stepCount, 10, 0, 10)
        try maker.tell(.stepCount, 10, 5, 15)

        XCTAssertEqual(maker.live(15).measures.stepCount ?? 0, 15, accuracy: 1e-9)
    }

    func testDistance_ofSeveralKinds_isThatOfTheActivity() throws {
        for (activity, meters) in [(WorkoutActivityType.cycling, 300.0), (.running, 100)] {
            var maker = WorkoutMaker(WorkoutActivity(activity))
            try maker.start()
            try maker.tell(.distanceWalkingRunning, 100, 0, 60)
            try maker.tell(.distanceCycling, 300, 0, 60)

            XCTAssertEqual(maker.live(60).measures.distanceMeters, meters)
        }
    }

    // MARK: Energy

    func testEnergy_countedByADevice_isBetterThanAll_intervalByInterval() throws {
        var maker = WorkoutMaker(subject: try WorkoutMaker.ada(rate: 360))
        try maker.start()
        for second in 0...60 { try maker.rate(150, Double(second)) }
        try maker.tell(.activeEnergyBurned, 12, 0, 60, from: "watch")
        try maker.pause(60)
        try maker.resume(100)
        for second in 100...160 { try maker.rate(150, Double(second)) }
        try maker.pause(160)
        try maker.resume(200)
        try maker.stop(300)

        let energies = maker.builder.energies(at: SampleMaker.at(300))

        XCTAssertEqual(energies.map(\.method), [.counter, .heartRate, .ratePerHour])
        XCTAssertEqual(energies[0].kilocalories, 12)
        // −20.4022 + 0.4472 · 150 − 0.1263 · 60 + 0.0740 · 40 kJ/min, less Mifflin's rest.
        let rest: Double = (10.0 * 60 + 6.25 * 170 - 5.0 * 40 - 161) / 1_440
        let kilojoules: Double = -20.4022 + 0.4472 * 150 - 0.1263 * 60 + 0.0740 * 40
        let gross = kilojoules / 4.184
        XCTAssertEqual(energies[1].kilocalories, gross - rest, accuracy: 1e-9)
        XCTAssertEqual(energies[2].kilocalories, 10, accuracy: 1e-9)
        let measures = maker.live(300).measures
        XCTAssertEqual(
            measures.energyKilocalories ?? 0, 22 + gross - rest, accuracy: 1e-9)
        XCTAssertEqual(measures.energyMethods, [.counter, .heartRate, .ratePerHour])
    }

    func testEnergy_withoutTheHeight_hasTheRestInIt() throws {
        var subject = try WorkoutMaker.ada()
        subject.restingKilocaloriesPerHour = nil
        var maker = WorkoutMaker(subject: subject)
        try maker.start()
        for second in 0...60 { try maker.rate(150, Double(second)) }

        XCTAssertEqual(maker.live(60).measures.energyMethods, [.heartRateWithRest])
    }

    func testEnergy_whenNothingSaysHowMuch_isNotKnown() throws {
        var maker = WorkoutMaker(subject: try WorkoutMaker.ada())
        try maker.start()
        for second in 0...60 { try maker.rate(80, Double(second)) }

        XCTAssertNil(maker.live(60).measures.energyKilocalories)
        XCTAssertEqual(maker.live(60).measures.energyMethods, [])
    }

    func testEnergy_computedForAWorkout_isNoCounter() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(activityKilocaloriesPerHour: 360))
        try maker.start()
        maker.tell(
            try QuantitySample(
                id: RecordID(high: 1, low: 1), type: .activeEnergyBurned, start: SampleMaker.at(0),
                end: SampleMaker.at(10), quantity: Quantity(99, .kilocalorie),
                metadata: Metadata(["PulsegateWorkout": .string("x")])))

        XCTAssertEqual(maker.live(10).measures.energyKilocalories ?? 0, 1, accuracy: 1e-12)
        XCTAssertEqual(maker.live(10).measures.energyMethods, [.ratePerHour])
    }

    // MARK: Beats

    func testRMSSD_isThatOfTheLastFiveMinutes() throws {
        var maker = WorkoutMaker()
        try maker.start()
        var beats: [RRInterval] = []
        var time = 0.0
        var generator = SeededGenerator(seed: 3)
        while time < 900 {
            let isArtefact = Int.random(in: 0..<50, using: &generator) == 0
            let length = Double.random(in: 700...800, using: &generator) * (isArtefact ? 2 : 1)
            let sample = try maker.samples.sample(
                .rrInterval, length, time, time + length / 1_000)
            maker.tell(sample)
            beats.append(
                RRInterval(start: sample.start, end: sample.end, milliseconds: length))
            time += length / 1_000
        }
        let end = SampleMaker.at(time)
        let from = end.adding(nanoseconds: -300_000_000_000)

        let live = maker.builder.snapshot(at: end)

        let recent = try HeartRateVariability(beats.filter { $0.start >= from })
        XCTAssertEqual(live.rmssdMilliseconds ?? 0, recent.rmssdMilliseconds, accuracy: 1e-9)
        let whole = try HeartRateVariability(beats)
        XCTAssertEqual(
            live.measures.rmssdMilliseconds ?? 0, whole.rmssdMilliseconds, accuracy: 1e-9)
    }

    func testRMSSD_ofTooFewBeats_isNotReported() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for beat in 0..<9 {
            try maker.tell(.rrInterval, 800, Double(beat) * 0.8, Double(beat + 1) * 0.8)
        }
        XCTAssertNil(maker.live(8).rmssdMilliseconds)
        try maker.tell(.rrInterval, 800, 7.2, 8)
        XCTAssertEqual(maker.live(8).rmssdMilliseconds, 0)
    }

    // MARK: Gaps

    func testGaps_ofTheSessionAndOfTheLane_countOnceEach() throws {
        var maker = WorkoutMaker()
        try maker.start()
        maker.call { $0.recover(lastSeen: SampleMaker.at(10), at: SampleMaker.at(20)) }
        var builder = maker.builder
        builder.noteGap(from: SampleMaker.at(15), to: SampleMaker.at(20))
        builder.noteGap(from: SampleMaker.at(30), to: SampleMaker.at(31))

        XCTAssertEqual(builder.snapshot(at: SampleMaker.at(40)).gapCount, 2)
    }
}
