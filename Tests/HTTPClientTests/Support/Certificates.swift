import Foundation
import GatewayTesting
import HTTPTesting
import XCTest

/// A test certificate authority with signed certificates.
final class Certificates {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try run(Self.make + ["-subj", "/CN=Test authority"] + output("ca"))
        try sign("server", "subjectAltName=IP:127.0.0.1")
        try sign("client", "extendedKeyUsage=clientAuth")
        try run(Self.make + ["-subj", "/CN=Another authority"] + output("other"))
    }

    func path(_ name: String) -> String { folder.path(name) }

    func write(_ text: String, to name: String) throws {
        try folder.write(Array(text.utf8), to: name)
    }

    func remove(_ name: String) throws {
        try folder.remove(name)
    }

    /// Makes a copy of the client's key that needs a passphrase.
    func lockKey() throws {
        try run([
            "ec", "-in", path("client.key"), "-aes256", "-passout", "pass:hunter2", "-out",
            path("locked.key"),
        ])
    }

    private static let make = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days",
        "2",
    ]

    private func sign(_ name: String, _ more: String) throws {
        let authority = ["-CA", path("ca.pem"), "-CAkey", path("ca.key")]
        let extensions = ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", more]
        try run(Self.make + ["-subj", "/CN=\(name)"] + authority + extensions + output(name))
    }

    private func output(_ name: String) -> [String] {
        ["-keyout", path("\(name).key"), "-out", path("\(name).pem")]
    }

    private func run(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw XCTSkip("openssl 3 is missing; apt-get install openssl")
        }
    }
}

/// A TLS proxy in front of a ``ScriptedHTTPServer``, by Python's `ssl`.
final class TLSFront {
    private static let script = """
        import select, socket, ssl, sys, threading
        certificate, key, target, authority = sys.argv[1:5]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if authority:
            context.load_verify_locations(authority)
            context.verify_mode = ssl.CERT_REQUIRED
        def serve(client):
            try:
                plain = socket.create_connection(("127.0.0.1", int(target)))
                with client, plain, context.wrap_socket(client, server_side=True) as tls:
                    while True:
                        ready = [tls] if tls.pending() else select.select([tls, plain], [], [])[0]
                        for source, drain in ((tls, plain), (plain, tls)):
                            if source in ready:
                                data = source.recv(65536)
                                if not data:
                                    return
                                drain.sendall(data)
            except OSError:
                pass
        def accept():
            while True:
                client = listener.accept()[0]
                threading.Thread(target=serve, args=(client,), daemon=True).start()
        listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=accept, daemon=True).start()
        print("port", listener.getsockname()[1], "end", flush=True)
        sys.stdin.read()
        """

    let port: UInt16
    private let program: InteractiveProgram
    private let folder: TemporaryFolder

    init(
        before server: ScriptedHTTPServer, certificate: String, key: String, authority: String = ""
    ) async throws {
        folder = try TemporaryFolder()
        let script = try folder.write(Array(Self.script.utf8), to: "front.py")
        program = try InteractiveProgram(
            ["python3", script, certificate, key, "\(server.port)", authority],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
        guard let text = try? await program.wait(for: "end"),
            let word = text.split(separator: " ").dropFirst().first, let port = UInt16(word)
        else { throw XCTSkip("python3 with its ssl module is missing; apt-get install python3") }
        self.port = port
    }
}
