import GatewayCore
import HTTPClient
import JSON

/// The settings of an HTTP sink.
struct HTTPSinkSettings: Sendable {
    /// The action when the server rejects all records.
    enum AllRejected: String, CaseIterable, Sendable {
        /// Stop and retry: a wrong setting is likely, and records wait in the journal.
        case block
        /// Write all rejected records to the reject file.
        case reject
    }

    static let keys = [
        "url", "format", "token", "user", "password", "headers", "ca", "certificate", "socket",
        "timeout", "whenAllRejected",
    ]
    static let defaultTimeout = 60.0
    private static let timeoutRange = 1.0...3_600.0
    private static let connectTimeoutSeconds = 10.0
    /// More than is stored of a response, so that it cannot end in the middle of a secret.
    private static let maxResponseBytes = 16_384
    /// The maximum number of additional headers.
    private static let fieldLimit = 32
    /// Headers that the sink sets itself.
    private static let reservedFields = [
        "authorization", "idempotency-key", "user-agent", "cookie",
    ]

    let url: HTTPURL
    /// The key path of the sink in the configuration.
    let path: String
    let format: RequestFormat
    let credentials: Credentials
    let options: HTTPClientOptions
    let limits: HTTPLimits
    let whenAllRejected: AllRejected

    init(
        _ object: ConfigurationObject, _ context: ComponentContext
    ) throws(ConfigurationError) {
        url = try Self.url(object.require("url"))
        path = object.path
        format = try Self.word(object["format"]) ?? .json
        whenAllRejected = try Self.word(object["whenAllRejected"]) ?? .block
        limits = try Self.limits(object["timeout"])
        credentials = Credentials(
            login: try Self.login(object, context), fields: try Self.fields(object, context))
        options = try Self.options(object, context, scheme: url.scheme)
    }

    /// Whether requests to another machine are sent without encryption.
    var isUnencrypted: Bool {
        url.scheme == .http && options.socketPath == nil && !Self.isThisMachine(url.host)
    }

    /// Whether a host is a loopback name or address; `127.0.0.1.example` is not.
    private static func isThisMachine(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func url(_ node: ConfigurationNode) throws(ConfigurationError) -> HTTPURL {
        let text = try node.string()
        do throws(HTTPError) {
            return try HTTPURL(text)
        } catch {
            throw node.error(error.detail)
        }
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ node: ConfigurationNode?
    ) throws(ConfigurationError) -> Word? {
        guard let node else { return nil }
        return Word(rawValue: try node.choice(of: Word.allCases.map(\.rawValue)))
    }

    private static func limits(
        _ node: ConfigurationNode?
    ) throws(ConfigurationError) -> HTTPLimits {
        let seconds = try node?.number() ?? defaultTimeout
        if let node, !timeoutRange.contains(seconds) {
            throw node.error(
                "must be from \(Int(timeoutRange.lowerBound)) to \(Int(timeoutRange.upperBound)) "
                    + "seconds")
        }
        return HTTPLimits(
            connectTimeoutSeconds: min(seconds, connectTimeoutSeconds),
            stallTimeoutSeconds: seconds,
            totalTimeoutSeconds: seconds, maxResponseBytes: maxResponseBytes)
    }

    private static func login(
        _ object: ConfigurationObject, _ context: ComponentContext
    ) throws(ConfigurationError) -> Credentials.Login? {
        if let node = object["token"] {
            for other in ["user", "password"] {
                guard let other = object[other] else { continue }
                throw other.error("cannot be combined with `token`; remove one of them")
            }
            return .token(try Secret(node, context))
        }
        guard object["user"] != nil || object["password"] != nil else { return nil }
        let node = try object.require("user")
        let user = try node.string()
        let colon = UInt8(ascii: ":")
        guard user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != colon }) else {
            throw node.error("must not contain a colon or a control character")
        }
        return .password(user: user, try Secret(object.require("password"), context))
    }

    private static func fields(
        _ object: ConfigurationObject, _ context: ComponentContext
    ) throws(ConfigurationError) -> [Credentials.Field] {
        guard let node = object["headers"] else { return [] }
        let entries = try node.entries()
        guard entries.count <= fieldLimit else {
            throw node.error("must have up to \(fieldLimit) headers")
        }
        var names: Set<String> = []
        var fields: [Credentials.Field] = []
        for (name, node) in entries {
            guard names.insert(name.lowercased()).inserted else {
                throw node.error("duplicate header; header names are not case-sensitive")
            }
            fields.append(try field(name, node, context))
        }
        return fields
    }

    private static func field(
        _ name: String, _ node: ConfigurationNode, _ context: ComponentContext
    ) throws(ConfigurationError) -> Credentials.Field {
        let lowercased = name.lowercased()
        guard !reservedFields.contains(lowercased), !lowercased.hasPrefix("content-") else {
            let remedy =
                lowercased == "authorization" ? "use `token`, or `user` and `password`" : nil
            throw node.error("is set by the sink; \(remedy ?? "remove it")")
        }
        var value = Credentials.Value.plain("x")
        if case .object = node.value {
            value = .secret(try Secret(node, context))
        } else {
            value = .plain(try node.string())
        }
        do throws(HTTPError) {
            if case .plain(let text) = value {
                _ = try HTTPHeader(name, text)
            } else {
                _ = try HTTPHeader(name, "x")
            }
        } catch {
            throw node.error(error.detail)
        }
        return Credentials.Field(name: name, value: value, path: node.path)
    }

    private static func options(
        _ object: ConfigurationObject, _ context: ComponentContext, scheme: HTTPURL.Scheme
    ) throws(ConfigurationError) -> HTTPClientOptions {
        var options = HTTPClientOptions()
        options.userAgent = "pulsegate/\(context.version)"
        for node in [object["ca"], object["certificate"]] {
            guard let node, scheme == .http else { continue }
            throw node.error("requires a URL with https://")
        }
        options.caFile = try path(object["ca"], context)
        if let node = object["certificate"] {
            let pair = try node.object(keys: certificateSettings.map(\.name))
            options.clientCertificate = HTTPClientOptions.ClientCertificate(
                certificateFile: context.resolve(try pair.require("certificate").string()),
                keyFile: context.resolve(try pair.require("key").string()))
        }
        options.socketPath = try path(object["socket"], context)
        guard let node = object["socket"] else { return options }
        do throws(HTTPError) { try options.check(for: .http) } catch {
            throw node.error(error.detail)
        }
        return options
    }

    private static func path(
        _ node: ConfigurationNode?, _ context: ComponentContext
    ) throws(ConfigurationError) -> String? {
        guard let node else { return nil }
        return context.resolve(try node.string())
    }
}
