import Foundation
import GatewayTesting
import XCTest

extension Browser {
    /// What axe-core finds wrong with the page, with a contrast of 7:1.
    ///
    /// - Throws: `XCTSkip` where axe-core is missing; it is part of a Python package.
    func violations() async throws -> [String] {
        try await send("Page.setBypassCSP", ["enabled": true])
        let script = if let axe { axe } else { try await Self.readAxe() }
        axe = script
        try await run(script)
        let found: [String]? = try await evaluate(
            """
            axe.run(document, { rules: { 'color-contrast-enhanced': { enabled: true } } }).then(
              ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(
                ({ html, any }) => `${id}: ${html.slice(0, 100)} ${any[0]?.message ?? ''}`)))
            """)
        return found ?? ["no answer of axe-core"]
    }

    private static func readAxe() async throws -> String {
        let script = """
            import importlib.util
            found = importlib.util.find_spec("axe_playwright_python")
            print(found.submodule_search_locations[0] if found else "missing")
            """
        let python = try InteractiveProgram(
            ["/usr/bin/env", "python3", "-c", script],
            environment: ProcessInfo.processInfo.environment)
        let path = try await python.waitForEnd().split(separator: "\n").last ?? ""
        guard let bytes = FileManager.default.contents(atPath: "\(path)/axe.min.js") else {
            throw XCTSkip(
                "axe-core is missing; "
                    + "pip install --break-system-packages --no-deps axe-playwright-python")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
