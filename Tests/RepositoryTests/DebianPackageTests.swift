import Foundation
import XCTest

/// The files that make the Debian package, against what they package.
final class DebianPackageTests: XCTestCase {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    /// The names in a field of debian/control, without versions and variables.
    private func packages(in field: String) throws -> Set<String> {
        let control = try text(".ci/debian/control").replacing("\n ", with: " ")
        let lines = control.split(separator: "\n").filter { $0.hasPrefix("\(field):") }
        let value = try XCTUnwrap(lines.first, field).dropFirst(field.count + 1)
        let names = value.split(separator: ",").compactMap { entry in
            entry.split(separator: " ").first.map(String.init)
        }
        return Set(names.filter { !$0.hasPrefix("$") })
    }

    func testChangelog_startsWithTheVersionOfTheProgram() throws {
        let source = try text("Sources/HostFiles/Version.swift")
        let version = try XCTUnwrap(
            source.firstMatch(of: /static let current = "([^"]+)"/), "no version")
        let entry = try text(".ci/debian/changelog").prefix { $0 != "\n" }
        XCTAssertTrue(
            entry.hasPrefix("pulsegate (\(version.1)-"),
            "\(entry): the program is \(version.1); add an entry to .ci/debian/changelog")
    }

    /// Debian's name of the package of a library, by its name in dlopen(3).
    private func package(ofLibrary name: some StringProtocol) throws -> String {
        // OpenSSL's package has the name of its other library.
        if name == "libcrypto.so.3" { return "libssl3" }
        let parts = try XCTUnwrap("\(name)".wholeMatch(of: /(lib[a-z]+)\.so\.([0-9]+)/), "\(name)")
        return "\(parts.1)\(parts.2)"
    }

    func testControl_recommendsTheLibrariesThatAreOpenedAtRunTime() throws {
        let files = try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "plugins")
        var opened: Set<String> = []
        for file in files where !file.path.contains("/Tests/") {
            for line in file.lines where line.contains("\"lib") {
                for name in line.matches(of: /= "(lib[a-z]+\.so\.[0-9]+)"/) {
                    opened.insert(try package(ofLibrary: name.1))
                }
            }
        }
        XCTAssertGreaterThanOrEqual(opened.count, 3, "\(opened)")
        XCTAssertEqual(try packages(in: "Recommends"), opened.union(["bluez"]))
    }

    func testUnit_runsNothingThatThePackageDoesNotDependOn() throws {
        let unit = try text("Sources/Installation/Files/pulsegate.service")
        let programs = unit.matches(of: /\nExec\w+=(\S+)/).map { String($0.1) }
        // Every system has the shell.
        XCTAssertEqual(Set(programs), ["/usr/bin/pulsegate", "/bin/sh"])
    }

    func testControl_namesTheBuildDependenciesOfTheManual() throws {
        let page = try text(".github/CONTRIBUTING.md")
        let command = try XCTUnwrap(
            page.split(separator: "\n").first { $0.hasPrefix("sudo apt-get install lib") })
        let documented = Set(command.split(separator: " ").dropFirst(3).map(String.init))
        XCTAssertEqual(
            try packages(in: "Build-Depends").subtracting(["debhelper-compat"]), documented)
    }

    /// The words of a file that start with a prefix, without it.
    private func paths(in path: String, after prefix: String) throws -> [String] {
        try text(path).split { " \t\n\">".contains($0) }.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
    }

    func testInstalledFiles_areMadeByTheScript() throws {
        let made = try Set(paths(in: ".ci/package", after: "$tree/"))
        let lists = try ["install", "manpages"].map { try text(".ci/debian/pulsegate.\($0)") }
        let installed = lists.flatMap { $0.split(separator: "\n") }
            .compactMap { $0.split(separator: " ").first }
        XCTAssertGreaterThan(installed.count, 5)
        for path in installed {
            let name = path.split(separator: "/").last ?? path
            let folder = String(path.dropLast(name.count))
            XCTAssertTrue(made.contains("\(path)") || made.contains(folder), "\(path) is not made")
        }
    }

    func testPackagedFiles_exist() throws {
        var named = try paths(in: ".ci/package", after: "$root/").filter { $0.contains("/") }
        named += try paths(in: ".ci/package", after: "$files/").map {
            "Sources/Installation/Files/\($0)"
        }
        XCTAssertGreaterThan(named.count, 6, "\(named)")
        for path in named {
            let place = Repository.root.appending(path: path)
            XCTAssertTrue(FileManager.default.fileExists(atPath: place.path), path)
        }
    }

    /// debhelper puts the enabling and starting of the service there, and the end of the question.
    func testMaintainerScripts_haveThePlaceForDebhelper() throws {
        let scripts = try Repository.paths(in: ".ci/debian").filter {
            $0.contains("/pulsegate.p") && $0.contains("inst") || $0.hasSuffix("rm")
        }
        XCTAssertEqual(scripts.count, 2, "\(scripts)")
        for script in scripts {
            XCTAssertTrue(try text(script).contains("\n#DEBHELPER#\n"), script)
            XCTAssertTrue(try text(script).hasPrefix("#!/bin/sh\nset -e\n"), script)
        }
    }
}
