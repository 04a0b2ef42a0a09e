import GatewayTesting
import HealthModel
import XCTest

@testable import HTTPSink

/// FHIR's own rules, as the Python package `fhir.resources` knows them.
final class FHIRValidationTests: XCTestCase {
    private static let install = "pip install fhir.resources"

    /// Reads a Bundle strictly, and prints for each entry what a reader gets from it.
    private static let script = """
        import sys
        from fhir.resources.R4B.bundle import Bundle
        def told(it):
            if it.valueQuantity: return repr(float(it.valueQuantity.value))
            return it.valueCodeableConcept.text if it.valueCodeableConcept else "nothing"
        bundle = Bundle.model_validate_json(open(sys.argv[1], "rb").read())
        for entry in bundle.entry or []:
            if entry.request.method == "DELETE":
                print("delete", entry.request.url.split("|")[1])
                continue
            it = entry.resource
            assert entry.request.method == "POST" and entry.request.url == "Observation"
            assert entry.request.ifNoneExist == (
                "identifier=" + it.identifier[0].system + "|" + it.identifier[0].value)
            assert entry.fullUrl == it.identifier[0].value
            assert it.effectiveDateTime or it.effectivePeriod.start < it.effectivePeriod.end
            assert not it.device or it.device.reference == "#" + it.contained[0].id
            if it.component:
                parts = sorted(part.code.text + "=" + told(part) for part in it.component)
                print(it.code.text, *parts)
            else:
                print(it.code.text, told(it))
        print("valid")
        """

    /// What the package says of a body; skips the test when it is not there.
    private func read(_ body: RequestBody) async throws -> [String] {
        let check = try await Program.run(
            ["python3", "-c", "import fhir.resources.R4B.bundle; print('there')"],
            install: "apt-get install python3")
        guard check.contains("there") else {
            throw XCTSkip("fhir.resources is missing; \(Self.install)")
        }
        let folder = try TemporaryFolder()
        let file = try folder.write(body.bytes, to: "bundle.json")
        let answer = try await Program.run(
            ["python3", "-c", Self.script, file], install: Self.install)
        return answer.split(separator: "\n").map(String.init)
    }

    func testDeletion_isAValidEntry() async throws {
        let read = try await read(
            RequestFormat.fhir.body(of: [try Examples.heartRate(1), Examples.deletion(0)]))
        XCTAssertEqual(
            read,
            ["heartRate 72.0", "delete urn:uuid:0198f3c2-0123-8abc-9def-00ff00000000", "valid"])
    }

    func testBundle_ofEveryType_isValidAndHasTheValues() async throws {
        let records = try Examples.everyType()
        var expected: [(name: String, value: Double)] = []
        for case .sample(let sample) in records {
            let value = try XCTUnwrap(UCUMUnit.of(sample.type).value(of: sample.quantity))
            expected.append((sample.type.name, value))
        }

        let lines = try await read(RequestFormat.fhir.body(of: records))

        XCTAssertEqual(lines.last, "valid", lines.joined(separator: "\n"))
        XCTAssertEqual(lines.count, expected.count + 1)
        for (line, (name, value)) in zip(lines, expected) {
            let words = line.split(separator: " ")
            XCTAssertEqual(words.first.map(String.init), name)
            XCTAssertEqual(words.last.flatMap { Double($0) }, value, line)
        }
    }

    func testBundle_ofHostileTexts_isValid() async throws {
        let lines = try await read(RequestFormat.fhir.body(of: Examples.hostile()))

        XCTAssertEqual(lines.last, "valid", lines.joined(separator: "\n"))
    }

    func testBundle_ofCategoriesAndCorrelations_isValidAndHasTheValues() async throws {
        let lines = try await read(RequestFormat.fhir.body(of: Examples.otherKinds()))

        XCTAssertEqual(
            lines,
            [
                "sleepAnalysis asleepDeep", "highHeartRateEvent nothing",
                "bloodPressure bloodPressureDiastolic=80.0 bloodPressureSystolic=120.0",
                "food appleStandHour=idle dietaryEnergyConsumed=640.0 oxygenSaturation=97.0",
                "workout activeEnergyBurned=112.5 duration=580.0 heartRateAverage=132.0 "
                    + "heartRateMaximum=171.0 heartRateMinimum=80.0",
                "valid",
            ])
    }

    func testBundle_ofNothing_isValid() async throws {
        let lines = try await read(RequestFormat.fhir.body(of: [Examples.event()]))

        XCTAssertEqual(lines, ["valid"])
    }

    func testReader_refusesABundleThatIsWrong() async throws {
        let good = RequestFormat.fhir.body(of: try Examples.three())
        let text = good.text.replacingOccurrences(of: "\"status\":\"final\",", with: "")

        let lines = try await read(RequestBody(bytes: Array(text.utf8), count: 2))

        XCTAssertNotEqual(lines.last, "valid")
    }
}
