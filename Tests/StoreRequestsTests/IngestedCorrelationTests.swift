import HealthModel
import SQLiteStore
import XCTest

@testable import GatewayHost

/// Tests correlations that a client sends, as `query` finds their samples.
final class IngestedCorrelationTests: XCTestCase {
    func testSamplesWithoutAPerson_areThoseOfThePersonOfTheCorrelation() async throws {
        func sample(_ number: Int, _ type: String, _ value: Int) -> String {
            #"{"id":"01a205f3-760c-87ea-8618-3d940f131c7\#(number)","type":"\#(type)","#
                + #""start":"2020-01-01T00:00:00Z","end":"2020-01-01T00:00:00Z","#
                + #""value":\#(value),"unit":"mmHg"}"#
        }
        let samples =
            sample(4, "bloodPressureSystolic", 120) + ","
            + sample(5, "bloodPressureDiastolic", 80)
        try await StoreGateway.run { gateway in
            let client = LinesClient(ofOther: nil)
            let request =
                #"{"request":"ingest","waitForStore":true,"records":[{"kind":"correlation","#
                + #""id":"01a205f3-760c-87ea-8618-3d940f131c73","type":"bloodPressure","#
                + #""start":"2020-01-01T00:00:00Z","end":"2020-01-01T00:00:00Z","#
                + #""person":"ada","samples":[\#(samples)]}]}"#
            _ = await RequestRouter().answer(Array(request.utf8), gateway.service, client)
            XCTAssertEqual(client.lines, [#"{"accepted":1,"stored":true}"#])
            let store = try await gateway.service.openStore()
            for type in [QuantityType.bloodPressureSystolic, .bloodPressureDiastolic] {
                let found = try await store.samples(
                    matching: SampleQuery(type: type, person: "ada"))
                XCTAssertEqual(found.map(\.person), ["ada"])
            }
        }
    }
}
