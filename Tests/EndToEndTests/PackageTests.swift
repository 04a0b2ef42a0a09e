import GatewayTesting
import XCTest

/// The packages of the pages for developers: they build without a warning, their tests pass, and their commands work.
final class PackageTests: XCTestCase {
    /// One test, because all of it needs the same modules, and building them takes minutes.
    func testPluginsInTheTreeAndPackagesOutside_buildPassTheirTestsAndWork() async throws {
        let home = try Home()
        let package = try PackageCopy(in: home.folder)
        try await PluginsInTheTree().check(in: package, of: home)
        try package.restore()
        try await PackagesOutside(besides: package, in: home).check()
    }
}
