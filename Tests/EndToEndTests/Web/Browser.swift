import Foundation
import GatewayTesting
import XCTest

/// A page in Chromium without a window, controlled over the pipe of the DevTools protocol.
///
/// Everything that the page complains about on its console is stored: scripts that fail, and what the
/// Content-Security-Policy forbids.
actor Browser {
    private let folder: TemporaryFolder
    private let program: InteractiveProgram
    private var page: (target: String, session: String)?
    private var lastID = 0
    /// What the page complained about, without answers of the server that are errors.
    private(set) var complaints: [String] = []
    /// The script of axe-core, once it was read.
    var axe: String?
    /// The names of the files that a page has begun to download, and whether the last one is complete.
    private var downloads: (names: [String], isComplete: Bool) = ([], false)

    /// Starts Chromium with a new profile and an empty page, for a user who reads English.
    ///
    /// - Throws: `XCTSkip` where there is no Chromium.
    init() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium") else {
            throw XCTSkip("chromium is missing; apt-get install chromium")
        }
        folder = try TemporaryFolder()
        let options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
            "--accept-lang=en", "--user-data-dir='\(folder.path)'",
        ]
        // Chromium reads the commands from descriptor 3 and writes the answers to 4.
        program = try InteractiveProgram(
            [
                "/bin/sh", "-c",
                "exec /usr/bin/chromium \(options.joined(separator: " ")) 3<&0 4>&1 "
                    + "</dev/null >/dev/null 2>&1",
            ],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        try await send(
            "Browser.setDownloadBehavior",
            ["behavior": "allow", "downloadPath": folder.path, "eventsEnabled": true])
        try await openTab()
    }

    /// Opens an empty page in the place of the present one.
    func openTab() async throws {
        let old = page?.target
        page = nil
        complaints = []
        let created = try await send("Target.createTarget", ["url": "about:blank"])
        let target = try XCTUnwrap(created["targetId"] as? String)
        let attached = try await send(
            "Target.attachToTarget", ["targetId": target, "flatten": true])
        if let old { try await send("Target.closeTarget", ["targetId": old]) }
        page = (target, try XCTUnwrap(attached["sessionId"] as? String))
        for domain in ["Page", "Runtime", "Log"] { try await send("\(domain).enable") }
        // A page that is not in front is drawn once a second.
        try await send("Page.bringToFront")
    }

    // MARK: The user

    /// Opens an address.
    func open(_ address: String) async throws {
        let answer = try await send("Page.navigate", ["url": address])
        XCTAssertNil(answer["errorText"], address)
        try await wait(for: "document.readyState === 'complete' && location.href !== 'about:blank'")
    }

    /// Sets the size of the window and what the user prefers.
    func show(width: Int, height: Int, isDark: Bool = true) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try await send("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Clicks in the middle of an element.
    func click(_ selector: String) async throws {
        let place: [Double]? = try await evaluate(
            """
            (() => { const box = document.querySelector('\(selector)').getBoundingClientRect();
              return [box.x + box.width / 2, box.y + box.height / 2]; })()
            """)
        let numbers = try XCTUnwrap(place, selector)
        for type in ["mousePressed", "mouseReleased"] {
            try await send(
                "Input.dispatchMouseEvent",
                ["type": type, "x": numbers[0], "y": numbers[1], "button": "left", "clickCount": 1])
        }
    }

    /// Presses a button as soon as the answer to the press before has come.
    func press(button: String) async throws {
        try await wait(for: "document.querySelector('\(button)')?.disabled === false")
        try await click(button)
    }

    /// Presses a key that writes a character.
    func press(_ key: String) async throws {
        try await send("Input.dispatchKeyEvent", ["type": "keyDown", "key": key, "text": key])
        try await send("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
    }

    // MARK: The protocol

    /// Waits until the page has downloaded a file; returns its path.
    func waitForDownload() async throws -> String {
        while !downloads.isComplete { note(try await receive()) }
        return "\(folder.path)/\(try XCTUnwrap(downloads.names.last))"
    }

    @discardableResult
    func send(_ method: String, _ parameters: [String: Any] = [:]) async throws -> [String: Any] {
        lastID += 1
        var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
        message["sessionId"] = page?.session
        let bytes = try JSONSerialization.data(withJSONObject: message)
        try await program.send(String(decoding: bytes, as: UTF8.self) + "\0")
        while true {
            let answer = try await receive()
            guard answer["id"] as? Int == lastID else {
                note(answer)
                continue
            }
            if let error = answer["error"] { throw ProgramFailure("\(method): \(error)") }
            return answer["result"] as? [String: Any] ?? [:]
        }
    }

    private func receive() async throws -> [String: Any] {
        let text = try await program.wait(for: "\0").dropLast()
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    private func note(_ event: [String: Any]) {
        let parameters = event["params"] as? [String: Any] ?? [:]
        switch event["method"] as? String {
        case "Browser.downloadWillBegin":
            downloads.names.append(parameters["suggestedFilename"] as? String ?? "")
            downloads.isComplete = false
        case "Browser.downloadProgress":
            downloads.isComplete = parameters["state"] as? String == "completed"
        case _ where event["sessionId"] as? String != page?.session: break
        case "Runtime.exceptionThrown":
            complaints.append("\(parameters["exceptionDetails"] ?? "")")
        case "Log.entryAdded":
            let entry = parameters["entry"] as? [String: Any] ?? [:]
            if entry["source"] as? String != "network" { complaints.append("\(entry)") }
        default: break
        }
    }
}
