import HealthModel
import JSON
import Synchronization
import Workouts
import XCTest

@testable import GatewayCore
@testable import GatewayHost

/// The facts about people that live displays need.
final class LiveSubjectTests: XCTestCase {
    func testSubjects_followAReload_ofWhichObserversLearn() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let reloads = Mutex(0)
        try await gateway.run { service in
            service.observeReloads { reloads.withLock { $0 += 1 } }
            let before = await service.liveSubjects()
            XCTAssertEqual(before.map(\.person.name), ["ada"])
            XCTAssertNil(before[0].subject.maximumHeartRate)
            XCTAssertNil(before[0].subject.zones)

            _ = try await service.setPerson(
                ConfigurationNode(
                    json5: #"{ name: "ada", maximumHeartRate: { value: 200, unit: "count/min" } }"#)
            )

            let after = await service.liveSubjects()
            XCTAssertEqual(after[0].subject.maximumHeartRate, 200)
            XCTAssertEqual(after[0].subject.zones?.count, 5)
        }
        XCTAssertEqual(reloads.withLock { $0 }, 1)
    }

    func testZonesOfTheReserve_withoutAStore_areUnknown() async throws {
        let gateway = try HostedGateway(
            """
            { people: { ada: { maximumHeartRate: { value: 200, unit: "count/min" },
                zones: { of: "reserve" } } } }
            """)
        try await gateway.run { service in
            let subjects = await service.liveSubjects()
            XCTAssertEqual(subjects[0].subject.maximumHeartRate, 200)
            XCTAssertNil(subjects[0].subject.zones)
        }
    }
}
