import GatewayCore
import HealthModel
import XCTest

@testable import GatewayHost

/// The requests `add` and `ingest` with times that no record can have.
final class IngestRequestTests: XCTestCase {
    private func answer(to request: String) async throws -> String {
        let channel = RecordingChannel()
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        try await gateway.run { service in
            _ = await RequestRouter().answer(Array(request.utf8), service, channel)
        }
        return channel.lines.first ?? ""
    }

    private func sample(from start: String, to end: String) -> String {
        #"{"id":"01a205f3-760c-87ea-8618-3d940f131c7f","type":"bodyMass","value":70,"unit":"kg","#
            + #""start":"\#(start)","end":"\#(end)","person":"ada"}"#
    }

    func testFutureAndAncientTimes_areRejectedWithAReason() async throws {
        for (start, end, reason) in [
            ("2200-01-01T00:00:00Z", "2200-01-01T00:00:00Z", "in the future"),
            ("1899-12-31T00:00:00Z", "1899-12-31T00:00:00Z", "before 1900"),
        ] {
            let sample = sample(from: start, to: end)
            for request in [
                #"{"request":"add","sample":\#(sample)}"#,
                #"{"request":"ingest","records":[\#(sample)]}"#,
            ] {
                let answer = try await answer(to: request)
                XCTAssertTrue(answer.contains("error") && answer.contains(reason), answer)
                XCTAssertFalse(answer.contains("70"), answer)
            }
        }
    }

    func testACorrelation_withASampleOfAnotherPerson_isRejected() async throws {
        let time = #""start":"2020-01-01T00:00:00Z","end":"2020-01-01T00:00:00Z""#
        func member(_ type: String, _ number: Int) -> String {
            #"{"id":"01a205f3-760c-87ea-8618-3d940f131c7\#(number)","type":"\#(type)",\#(time),"#
                + #""value":80,"unit":"mmHg","person":"bob"}"#
        }
        for (person, problem) in [
            (#""person":"ada","#, "is of another person"),
            ("", "has no person and a sample of it has one; give both the same person"),
        ] {
            let answer = try await answer(
                to: #"{"request":"ingest","records":[{"id":"01a205f3-760c-87ea-8618-3d940f131c7f","#
                    + #""kind":"correlation","type":"bloodPressure",\#(time),\#(person)"samples":["#
                    + member("bloodPressureSystolic", 1) + ","
                    + member("bloodPressureDiastolic", 2) + "]}]}")
            XCTAssertTrue(answer.contains("records[0]") && answer.contains(problem), answer)
        }
    }

    func testControlCharacters_areRejectedWithTheirPlace() async throws {
        let sample = sample(from: "2020-01-01T00:00:00Z", to: "2020-01-01T00:00:00Z").dropLast()
        for (fields, place) in [
            (##""device":{"name":"A\u001b[2J"}"##, "device.name"),
            (##""device":{"name":"A","serial":"1\n"}"##, "device.serial"),
            (##""source":{"name":"a\u0085"}"##, "source.name"),
            (##""metadata":{"note":"a\u0007"}"##, "metadata"),
        ] {
            for request in [
                #"{"request":"add","sample":\#(sample),\#(fields)}}"#,
                #"{"request":"ingest","records":[\#(sample)},\#(sample),\#(fields)}]}"#,
            ] {
                let answer = try await answer(to: request)
                XCTAssertTrue(
                    answer.contains("has a control character in \(place); remove it"), answer)
                XCTAssertTrue(answer.contains("sample") || answer.contains("records[1]"), answer)
            }
        }
        let note = ##""metadata":{"note":"a\n\tb"}"##
        let answer = try await answer(
            to: #"{"request":"ingest","records":[\#(sample),\#(note)}]}"#)
        XCTAssertTrue(answer.contains(#""accepted":1"#), answer)
    }

    /// The samples of a correlation are checked as others are.
    func testCorrelation_withAnImplausibleSample_isRejected() async throws {
        func sample(_ number: Int, _ type: String, _ value: Int) -> String {
            #"{"id":"01a205f3-760c-87ea-8618-3d940f131c7\#(number)","type":"\#(type)","#
                + #""start":"2020-01-01T00:00:00Z","end":"2020-01-01T00:00:00Z","#
                + #""value":\#(value),"unit":"mmHg"}"#
        }
        func correlation(_ systolic: Int) -> String {
            #"{"kind":"correlation","id":"01a205f3-760c-87ea-8618-3d940f131c73","#
                + #""type":"bloodPressure","start":"2020-01-01T00:00:00Z","#
                + #""end":"2020-01-01T00:00:00Z","person":"ada","samples":["#
                + sample(4, "bloodPressureSystolic", systolic) + ","
                + sample(5, "bloodPressureDiastolic", 80) + "]}"
        }
        let wrong = try await answer(
            to: #"{"request":"ingest","records":[\#(correlation(1_200))]}"#)
        XCTAssertTrue(wrong.contains("is out of range for bloodPressureSystolic"), wrong)
        let right = try await answer(to: #"{"request":"ingest","records":[\#(correlation(120))]}"#)
        XCTAssertTrue(right.contains(#""accepted":1"#), right)
    }

    func testPastTime_isAccepted() async throws {
        let sample = sample(from: "2020-01-01T00:00:00Z", to: "2020-01-01T00:00:00Z")
        let answer = try await answer(to: #"{"request":"ingest","records":[\#(sample)]}"#)
        XCTAssertTrue(answer.contains(#""accepted":1"#), answer)
    }
}
