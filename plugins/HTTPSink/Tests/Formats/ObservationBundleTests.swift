import Foundation
import HealthModel
import XCTest

@testable import HTTPSink

final class ObservationBundleTests: XCTestCase {
    private func body(_ records: [Record]) -> RequestBody { RequestFormat.fhir.body(of: records) }

    private func resource(_ record: Record) throws -> NSDictionary {
        try XCTUnwrap(body([record]).resources().first)
    }

    private func codes(_ resource: NSDictionary) throws -> [String] {
        let code = try XCTUnwrap(resource["code"] as? NSDictionary)
        let codings = try XCTUnwrap(code["coding"] as? [[String: String]])
        return codings.map { "\($0["system"] ?? "")|\($0["code"] ?? "")" }
    }

    func testBody_isATransactionOfConditionalCreates() throws {
        let id = "urn:uuid:0198f3c2-0123-8abc-9def-00ff00000000"

        XCTAssertEqual(
            body([try Examples.heartRate(), Examples.event()]).text,
            """
            {"resourceType":"Bundle","type":"transaction","entry":[{"fullUrl":"\(id)",\
            "resource":{"resourceType":"Observation","contained":[{"resourceType":"Device",\
            "id":"device","identifier":[{"system":"urn:pulsegate:device",\
            "value":"D0:11:22:33:44:55"}],"manufacturer":"Polar Electro Oy",\
            "serialNumber":"8A2F1234","deviceName":[{"name":"Polar H10 8A2F",\
            "type":"user-friendly-name"}],"modelNumber":"H10","version":[\
            {"type":{"text":"hardware"},"value":"00760690.03"},\
            {"type":{"text":"firmware"},"value":"5.0.0"}]}],\
            "identifier":[{"system":"urn:ietf:rfc:3986","value":"\(id)"}],"status":"final",\
            "category":[{"coding":[{\
            "system":"http://terminology.hl7.org/CodeSystem/observation-category",\
            "code":"vital-signs"}]}],"code":{"coding":[\
            {"system":"http://loinc.org","code":"8867-4"},\
            {"system":"urn:pulsegate:type","code":"heartRate"}],"text":"heartRate"},\
            "subject":{"type":"Patient","identifier":{"system":"urn:pulsegate:person",\
            "value":"ada"}},"effectiveDateTime":"2026-11-21T18:15:00.123Z",\
            "valueQuantity":{"value":72,"unit":"/min","system":"http://unitsofmeasure.org",\
            "code":"/min"},"device":{"reference":"#device"}},"request":{"method":"POST",\
            "url":"Observation","ifNoneExist":"identifier=urn:ietf:rfc:3986|\(id)"}}]}
            """)
    }

    func testBody_leavesDeviceEventsOutAndReportsWhich() throws {
        let body = body(try Examples.three())

        XCTAssertEqual(body.unsupported, [1])
        XCTAssertEqual(body.count, 2)
        XCTAssertEqual(try body.resources().count, 2)
    }

    func testBody_whenAnIDComesTwice_hasItOnce() throws {
        let body = body([try Examples.heartRate(), try Examples.heartRate(), try Examples.steps()])

        XCTAssertEqual(try body.resources().count, 2)
        XCTAssertEqual(body.unsupported, [])
    }

    func testSample_ofATime_hasItsPeriod_andNoSubjectWhenNoPersonIsKnown() throws {
        let resource = try resource(Examples.steps())

        XCTAssertEqual(
            resource["effectivePeriod"] as? [String: String],
            ["start": "2026-11-21T18:15:00.123Z", "end": "2026-11-21T18:15:05.623Z"])
        XCTAssertNil(resource["effectiveDateTime"])
        XCTAssertNil(resource["subject"])
        XCTAssertNil(resource["category"])
        XCTAssertEqual(
            try codes(resource), ["http://loinc.org|55423-8", "urn:pulsegate:type|stepCount"])
    }

    func testType_withoutLOINC_hasOurCodeAlone() throws {
        let sample = try QuantitySample(
            id: Examples.id(0), type: .rrInterval, start: Examples.start,
            end: Examples.start.adding(nanoseconds: 800_000_000),
            quantity: Quantity(0.8, .second))

        let resource = try resource(.sample(sample))

        XCTAssertEqual(try codes(resource), ["urn:pulsegate:type|rrInterval"])
        let quantity = try XCTUnwrap(resource["valueQuantity"] as? NSDictionary)
        XCTAssertEqual(quantity["value"] as? Double, 800)
        XCTAssertEqual(quantity["code"] as? String, "ms")
        XCTAssertNil(resource["device"])
        XCTAssertNil(resource["contained"])
    }

    func testBloodPressure_isThePanelWithTwoComponents() throws {
        let body = body([try Examples.bloodPressure()])

        XCTAssertEqual(body.count, 1)
        XCTAssertEqual(try body.resources().count, 1)
        let id = "urn:uuid:0198f3c2-0123-8abc-9def-00ff00000005"
        XCTAssertTrue(body.text.contains("\"identifier=urn:ietf:rfc:3986|\(id)\""), body.text)
        XCTAssertTrue(
            body.text.contains(
                """
                "category":[{"coding":[{\
                "system":"http://terminology.hl7.org/CodeSystem/observation-category",\
                "code":"vital-signs"}]}],"code":{"coding":[\
                {"system":"http://loinc.org","code":"85354-9"},\
                {"system":"urn:pulsegate:type","code":"bloodPressure"}],"text":"bloodPressure"},\
                "subject":{"type":"Patient","identifier":{"system":"urn:pulsegate:person",\
                "value":"ada"}},"effectiveDateTime":"2026-11-21T18:15:00.123Z","component":[\
                {"code":{"coding":[{"system":"http://loinc.org","code":"8480-6"},\
                {"system":"urn:pulsegate:type","code":"bloodPressureSystolic"}],\
                "text":"bloodPressureSystolic"},"valueQuantity":{"value":120,"unit":"mm[Hg]",\
                "system":"http://unitsofmeasure.org","code":"mm[Hg]"}},\
                {"code":{"coding":[{"system":"http://loinc.org","code":"8462-4"},\
                {"system":"urn:pulsegate:type","code":"bloodPressureDiastolic"}],\
                "text":"bloodPressureDiastolic"},"valueQuantity":{"value":80,"unit":"mm[Hg]",\
                "system":"http://unitsofmeasure.org","code":"mm[Hg]"}}],\
                "device":{"reference":"#device"}}
                """), body.text)
    }

    func testCategory_hasOurCodesAndNoValueWhenItHasNone() throws {
        let sleep = try resource(Examples.sleep())
        let event = try resource(Examples.highHeartRate())

        XCTAssertEqual(try codes(sleep), ["urn:pulsegate:type|sleepAnalysis"])
        let concept = try XCTUnwrap(sleep["valueCodeableConcept"] as? NSDictionary)
        XCTAssertEqual(concept["text"] as? String, "asleepDeep")
        XCTAssertEqual(
            concept["coding"] as? [[String: String]],
            [["system": "urn:pulsegate:value", "code": "asleepDeep"]])
        XCTAssertNil(event["valueCodeableConcept"])
        XCTAssertNil(event["category"])
    }

    func testWorkout_hasItsActivityAndComponentsOfOurCodes() throws {
        let run = try resource(Examples.run())

        XCTAssertEqual(try codes(run), ["urn:pulsegate:type|workout"])
        let concept = try XCTUnwrap(run["valueCodeableConcept"] as? NSDictionary)
        XCTAssertEqual(
            concept["coding"] as? [[String: String]],
            [["system": "urn:pulsegate:activity", "code": "running"]])
        let period = try XCTUnwrap(run["effectivePeriod"] as? NSDictionary)
        XCTAssertEqual(period["end"] as? String, "2026-11-21T18:25:00.123Z")
        let components = try XCTUnwrap(run["component"] as? [NSDictionary])
        let values = try components.map { component in
            let quantity = try XCTUnwrap(component["valueQuantity"] as? NSDictionary)
            let value = try XCTUnwrap(quantity["value"] as? Double)
            let code = try codes(component).last?.split(separator: "|").last ?? ""
            return "\(code) \(value) \(quantity["code"] as? String ?? "-")"
        }
        XCTAssertEqual(
            values,
            [
                "duration 580.0 s", "activeEnergyBurned 112.5 kcal",
                "heartRateAverage 132.0 /min", "heartRateMinimum 80.0 /min",
                "heartRateMaximum 171.0 /min",
            ])
    }

    func testCorrelation_whenAValueIsTooLarge_isLeftOut() throws {
        let body = body([try Examples.meal(saturation: 1e307), try Examples.sleep()])

        XCTAssertEqual(body.unsupported, [0])
        XCTAssertEqual(try body.resources().count, 1)
    }

    func testOxygenSaturation_hasTheCodeOfTheProfileTooAndCountsTo100() throws {
        for (fraction, percent) in [(0.97, 97.0), (0.57, 57), (0.985, 98.5), (1, 100), (0, 0)] {
            let sample = try QuantitySample(
                id: Examples.id(0), type: .oxygenSaturation, start: Examples.start,
                end: Examples.start, quantity: Quantity(fraction, .percent))

            let resource = try resource(.sample(sample))

            XCTAssertEqual(
                try codes(resource),
                [
                    "http://loinc.org|2708-6", "http://loinc.org|59408-5",
                    "urn:pulsegate:type|oxygenSaturation",
                ])
            let quantity = try XCTUnwrap(resource["valueQuantity"] as? NSDictionary)
            XCTAssertEqual(quantity["value"] as? Double, percent)
            XCTAssertEqual(quantity["code"] as? String, "%")
        }
    }

    func testUnit_ofEveryType_isTheOneOfItsCodeAndReadsBack() throws {
        for type in QuantityType.all {
            let unit = UCUMUnit.of(type)
            let value = Examples.value(of: type)

            let written = try XCTUnwrap(unit.value(of: Quantity(value, type.canonicalUnit)))

            XCTAssertEqual(unit.code, type.ucum ?? unit.code, type.name)
            let back = try Quantity(written / unit.factor, unit.unit).value(in: type.canonicalUnit)
            XCTAssertEqual(back, value, accuracy: value * 1e-15, type.name)
        }
    }

    func testUnit_whenUCUMHasNone_hasNoCode() {
        let types = QuantityType.all.filter { UCUMUnit.of($0).code == nil }

        XCTAssertEqual(types, [.workoutEffortScore, .estimatedWorkoutEffortScore])
    }

    func testCategory_isVitalSignsWhereFHIRHasTheType() throws {
        let types = try Examples.everyType().filter { try resource($0)["category"] != nil }

        XCTAssertEqual(
            Set(types.compactMap(\.typeName)),
            [
                "heartRate", "oxygenSaturation", "bloodPressureSystolic", "bloodPressureDiastolic",
                "bodyMass", "height", "bodyMassIndex", "respiratoryRate", "bodyTemperature",
            ])
    }

    func testValue_whenItIsTooLargeForItsUnit_isLeftOut() throws {
        let sample = try QuantitySample(
            id: Examples.id(0), type: .oxygenSaturation, start: Examples.start,
            end: Examples.start, quantity: Quantity(1e307, .percent))

        XCTAssertEqual(body([.sample(sample)]).unsupported, [0])
    }

    func testDevice_whenItsTextsAreHostile_hasWhatFHIRAllows() throws {
        let resources = try body(Examples.hostile()).resources()

        XCTAssertEqual(resources.count, Examples.hostileTexts.count)
        for (text, resource) in zip(Examples.hostileTexts, resources) {
            let devices = try XCTUnwrap(resource["contained"] as? [NSDictionary])
            let device = try XCTUnwrap(devices.first)
            let written = try XCTUnwrap(device["modelNumber"] as? String)
            XCTAssertFalse(written.unicodeScalars.contains { $0.value < 9 }, text)
            XCTAssertEqual(
                written, written.trimmingCharacters(in: .whitespacesAndNewlines), text)
            XCTAssertLessThanOrEqual(written.utf8.count, 512)
        }
    }

    func testDevice_whenNothingIsLeftOfItsTexts_isLeftOut() throws {
        let sample = try QuantitySample(
            id: Examples.id(0), type: .heartRate, start: Examples.start, end: Examples.start,
            quantity: Quantity(72, .countPerMinute),
            device: Device(
                name: " \n", manufacturer: "", model: "\u{1}", localIdentifier: "\u{3000}"))

        let resource = try resource(.sample(sample))

        XCTAssertNil(resource["contained"])
        XCTAssertNil(resource["device"])
    }
}
