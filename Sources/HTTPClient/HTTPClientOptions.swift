import Glibc
import Platform

/// The options that apply to all requests of a client.
public struct HTTPClientOptions: Hashable, Sendable {
    /// The files of a client certificate and its key in PEM format.
    public struct ClientCertificate: Hashable, Sendable {
        /// The certificate.
        public var certificateFile: String
        /// The private key, without a passphrase.
        public var keyFile: String

        /// Names the two files.
        public init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// The longest path of a Unix socket (unix(7)).
    private static let socketPathLimit = 107

    /// A PEM file with the certificate authorities to trust instead of the system's.
    public var caFile: String?
    /// The certificate that the client shows to a server that requires one.
    public var clientCertificate: ClientCertificate?
    /// The Unix socket for all connections; the URL's host is then only sent in the header `Host`.
    public var socketPath: String?
    /// The value of the header `User-Agent`.
    public var userAgent = "pulsegate"
    /// Whether `https` uses the proxy in the environment variable `https_proxy` or `all_proxy`, except
    /// for the hosts in `no_proxy` (curl(1), ENVIRONMENT).
    ///
    /// `http` never uses a proxy, which could read the token.
    public var usesProxy = true

    /// Makes the default options.
    public init() {}

    /// Checks the paths and files; called before each request, so that corrections apply immediately.
    public func check(for scheme: HTTPURL.Scheme) throws(HTTPError) {
        if let problem = HTTPHeader.problem(ofValue: userAgent) {
            throw HTTPError(.configuration, "the user agent \(problem)")
        }
        if let socketPath {
            guard !socketPath.isEmpty, socketPath.utf8.count <= Self.socketPathLimit,
                !socketPath.utf8.contains(0)
            else {
                throw HTTPError(
                    .configuration,
                    "the socket path is empty or longer than "
                        + "\(Self.socketPathLimit) bytes; use a shorter path")
            }
        }
        guard scheme == .https else { return }
        for path in [caFile, clientCertificate?.certificateFile, clientCertificate?.keyFile] {
            if let path { try Self.checkFile(path) }
        }
        if let path = clientCertificate?.keyFile { try Self.checkKey(path) }
    }

    /// Checks that the socket exists; it may be missing while the server is not running.
    public func checkSocket() throws(HTTPError) {
        guard let socketPath else { return }
        var status = stat()
        guard stat(socketPath, &status) == 0 else {
            let message = SystemCall.message(of: errno)
            throw HTTPError(
                .configuration,
                "\(socketPath): \(message); start the server, or correct the path")
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw HTTPError(
                .configuration, "\(socketPath): not a socket; specify the socket of the server")
        }
    }

    /// Rejects a key that others can read; group access is allowed, as for Debian's `ssl-cert`.
    private static func checkKey(_ path: String) throws(HTTPError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o007 != 0 else { return }
        throw HTTPError(
            .configuration,
            "\(path): the key is readable by other users; run chmod 600 \(ShellWord.quoted(path))")
    }

    /// Accepts only regular files: reading a pipe would block all requests.
    private static func checkFile(_ path: String) throws(HTTPError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw HTTPError(
                .configuration, "the path of a certificate or key is empty; specify a file")
        }
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let message = SystemCall.message(of: errno)
            throw HTTPError(
                .configuration,
                "\(path): open: \(message); check that the file is readable by this user")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw HTTPError(
                .configuration, "\(path): not a regular file; specify a file in PEM format")
        }
    }
}
