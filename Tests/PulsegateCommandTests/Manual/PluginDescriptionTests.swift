import Bluetooth
import GatewayTesting
import HealthModel
import PulsegateBuiltIn
import XCTest

@testable import GatewayHost

/// The built-in plugins describe what they accept.
final class PluginDescriptionTests: XCTestCase {
    func testEveryPlugin_isDescribedAsItIs() throws {
        let findings = PluginDescriptionConformance.findings(
            profiles: builtIn.profiles, serialProtocols: builtIn.serialProtocols,
            advertisements: builtIn.advertisements,
            sources: builtIn.makeSourceFactories(busAddress: nil), sinks: builtIn.sinks,
            services: builtIn.services,
            types: try builtIn.makeQuantityTypes())
        XCTAssertEqual(findings.map(\.description), [])
    }

    /// Without `profiles` in the configuration the second profile would be silent.
    func testNoTwoProfiles_readOneCharacteristicOfAService() throws {
        let profiles = try GATTProfileFactory.makeProfiles(
            nil, from: builtIn.profiles, types: builtIn.makeQuantityTypes())
        XCTAssertEqual(ProfileOverlap.all(of: profiles).map(\.note), [])
    }
}
