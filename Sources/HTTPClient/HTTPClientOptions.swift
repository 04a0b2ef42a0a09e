import Glibc
import Platform

/// What is the same for all requests of a client.
package struct HTTPClientOptions: Hashable, Sendable {
    /// What the client shows to a server that asks who it is: files in PEM format.
    package struct ClientCertificate: Hashable, Sendable {
        package var certificateFile: String
        /// It must not need a passphrase.
        package var keyFile: String

        package init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// The longest path of a Unix socket (unix(7)).
    private static let socketPathLimit = 107

    /// Certificates in PEM format, which are trusted in the place of the system's.
    package var authorityFile: String?
    package var clientCertificate: ClientCertificate?
    /// A Unix socket to which all connections go; the URL's host is only named to the server.
    package var socketPath: String?
    package var userAgent = "pulsegate"
    /// Whether `https` goes through the proxy that `https_proxy` or `all_proxy` in the environment
    /// names, but for the hosts in `no_proxy` (curl(1), ENVIRONMENT).
    ///
    /// Such a proxy passes on what it cannot read. `http` never goes through one: it could read the
    /// token.
    package var usesProxy = true

    package init() {}

    /// Checks the paths and files, as it is done before each request, so that what was mended counts at
    /// once.
    package func check(for scheme: HTTPURL.Scheme) throws(HTTPError) {
        if let trouble = HTTPHeader.trouble(ofValue: userAgent) {
            throw HTTPError(.configuration, "the user agent \(trouble)")
        }
        if let socketPath {
            guard !socketPath.isEmpty, socketPath.utf8.count <= Self.socketPathLimit,
                !socketPath.utf8.contains(0)
            else {
                throw HTTPError(
                    .configuration,
                    "the socket's path is empty or longer than "
                        + "\(Self.socketPathLimit) bytes; choose a shorter one")
            }
        }
        guard scheme == .https else { return }
        for path in [authorityFile, clientCertificate?.certificateFile, clientCertificate?.keyFile]
        {
            if let path { try Self.checkFile(path) }
        }
        if let path = clientCertificate?.keyFile { try Self.checkKey(path) }
    }

    /// Looks whether there is a socket; while a server is away there may be none.
    package func checkSocket() throws(HTTPError) {
        guard let socketPath else { return }
        var status = stat()
        guard stat(socketPath, &status) == 0 else {
            let message = SystemCall.message(of: errno)
            throw HTTPError(
                .configuration,
                "\(socketPath): \(message); start the server, or name the socket it makes")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw HTTPError(
                .configuration, "\(socketPath): not a socket; name the one that the server makes")
        }
    }

    /// A key that everybody can read is nobody's own; a group may have it, as Debian's `ssl-cert` does.
    private static func checkKey(_ path: String) throws(HTTPError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o007 != 0 else { return }
        throw HTTPError(
            .configuration, "\(path): the key is open to everybody; say chmod 600 \(path)")
    }

    /// Only a plain file is opened: what waits for its reader, like a pipe, would stop all requests.
    private static func checkFile(_ path: String) throws(HTTPError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw HTTPError(.configuration, "the path of a certificate or key is empty; mend it")
        }
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let message = SystemCall.message(of: errno)
            throw HTTPError(
                .configuration, "\(path): open: \(message); see that this user may read the file")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw HTTPError(.configuration, "\(path): not a file; name one in PEM format")
        }
    }
}
