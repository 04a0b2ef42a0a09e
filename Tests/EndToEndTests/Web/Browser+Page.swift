import GatewayTesting
import XCTest

/// Questions to the page, and waits for what it shows.
extension Browser {
    /// How long a condition may take, in seconds; generous for a loaded machine.
    private static let patienceSeconds = 30

    /// The value of an expression; nil if it is of another type.
    func evaluate<Value: Sendable>(_ expression: String) async throws -> Value? {
        try await value(of: expression) as? Value
    }

    /// Runs a script for its effect.
    func run(_ script: String) async throws {
        _ = try await value(of: script)
    }

    private func value(of expression: String) async throws -> Any? {
        let answer = try await send(
            "Runtime.evaluate",
            ["expression": expression, "returnByValue": true, "awaitPromise": true])
        if let details = answer["exceptionDetails"] as? [String: Any] {
            let exception = details["exception"] as? [String: Any]
            throw ProgramFailure(
                "\(exception?["description"] ?? exception?["value"] ?? details): \(expression)")
        }
        return (answer["result"] as? [String: Any])?["value"]
    }

    /// The text of an element as it is written in the page.
    func text(_ selector: String) async throws -> String? {
        try await evaluate("document.querySelector('\(selector)')?.textContent")
    }

    /// Waits until an expression is true.
    func wait(for expression: String) async throws {
        try await run(
            """
            new Promise((done, fail) => {
              const look = setInterval(() => {
                if (!(\(expression))) return;
                clearInterval(look);
                done(true);
              }, 20);
              setTimeout(() => fail('never true; the page: ' + document.body.innerText),
                \(Self.patienceSeconds * 1000));
            })
            """)
    }

    /// Waits until an element, which is not hidden, has a text.
    func wait(for selector: String, text: String) async throws {
        try await wait(
            for: """
                (() => { const element = document.querySelector('\(selector)');
                  return element?.checkVisibility() && element.textContent.includes('\(text)'); })()
                """)
    }

    /// Waits until what a change has called for is drawn.
    func waitForFrames() async throws {
        for _ in 0..<3 { try await run("new Promise((done) => requestAnimationFrame(done))") }
    }

    /// Opens an address with nothing of the page in the cache, until an element has a number.
    ///
    /// - Returns: The milliseconds from the request to the number.
    func millisecondsToNumber(in selector: String, at address: String) async throws -> Double {
        try await send("Network.clearBrowserCache")
        let watch = try await send(
            "Page.addScriptToEvaluateOnNewDocument",
            [
                "source": """
                new MutationObserver(() => {
                  const words = document.querySelector('\(selector)')?.textContent ?? '';
                  if (/\\d/.test(words)) window.firstNumber ??= performance.now();
                }).observe(document, { subtree: true, childList: true, characterData: true })
                """
            ])
        try await open(address)
        try await wait(for: "window.firstNumber")
        try await send("Page.removeScriptToEvaluateOnNewDocument", watch)
        let milliseconds: Double? = try await evaluate("firstNumber")
        return try XCTUnwrap(milliseconds)
    }
}
