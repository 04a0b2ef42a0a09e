import Glibc
import Platform
import XCTest

final class ProcessUsageTests: XCTestCase {
    func testUsage_growsWithTheWorkOfTheProcess() throws {
        let before = ProcessUsage.current()
        XCTAssertGreaterThan(before.residentBytes, 1 << 20)
        let descriptors = (0..<50).map { _ in open("/dev/null", O_RDONLY) }
        defer { for descriptor in descriptors { close(descriptor) } }
        // Until the kernel has counted some processor time.
        while ProcessUsage.current().cpuSeconds == before.cpuSeconds {}
        let after = ProcessUsage.current()
        XCTAssertGreaterThan(after.cpuSeconds, before.cpuSeconds)
        XCTAssertGreaterThanOrEqual(after.openDescriptors, before.openDescriptors + 40)
    }
}
