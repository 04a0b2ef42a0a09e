import GatewayCore
import HTTPServer
import JSON

/// The settings of the web server.
struct WebSettings: Sendable {
    /// The address on which it listens.
    let address: ListenAddress
    /// The names by which browsers reach it, beside those of this machine, in lower case.
    let hosts: Set<String>
    /// The tokens by the name of their client.
    let tokens: [WebToken]
    /// Whether the metrics have health values.
    let hasValuesInMetrics: Bool

    static let keys = about.settings.map(\.name)
    static let defaultAddress = "127.0.0.1:8765"
    private static let hostLimit = 32
    private static let tokenLimit = 256
}

/// A token of the configuration.
struct WebToken: Sendable {
    /// The name of the client that has it.
    let name: PlainName
    /// Where its text is.
    let secret: Secret
}

extension WebSettings {
    /// Reads `{ use: "web", listen: "0.0.0.0:8765", hosts: ["gym.example"], tokens: { phone: { … } } }`.
    init(
        _ object: ConfigurationObject, _ context: ComponentContext
    ) throws(ConfigurationError) {
        address = try Self.address(object["listen"])
        hosts = try Self.hosts(object["hosts"])
        tokens = try Self.tokens(object["tokens"], context)
        let metrics = try object["metrics"]?.object(keys: Self.metricsSettings.map(\.name))
        hasValuesInMetrics = try metrics?["values"]?.boolean() ?? false
        guard !address.isLoopback, tokens.isEmpty else { return }
        let place = try object.require("listen")
        throw place.error(
            "is reached from other machines and needs `tokens`: `pulsegate secret set web-phone` "
                + "and tokens: { phone: { secret: \"web-phone\" } }")
    }

    private static func address(
        _ node: ConfigurationNode?
    ) throws(ConfigurationError) -> ListenAddress {
        guard let address = ListenAddress(try node?.string() ?? defaultAddress), address.port > 0
        else {
            throw node?.error("is not an address with a port such as 127.0.0.1:8765 or [::]:8765")
                ?? ConfigurationError(path: "listen", problem: "is not an address")
        }
        return address
    }

    private static func hosts(
        _ node: ConfigurationNode?
    ) throws(ConfigurationError) -> Set<String> {
        let nodes = try node?.array() ?? []
        guard nodes.count <= hostLimit else {
            throw ConfigurationError(
                path: node?.path ?? "", problem: "must have at most \(hostLimit) names")
        }
        var hosts: Set<String> = []
        for node in nodes {
            let name = try node.string().lowercased()
            guard name.utf8.count <= 253, name.utf8.allSatisfy(HostName.isAllowed) else {
                throw node.error("is not the name of a host such as gym.example, without a port")
            }
            hosts.insert(name)
        }
        return hosts
    }

    private static func tokens(
        _ node: ConfigurationNode?, _ context: ComponentContext
    ) throws(ConfigurationError) -> [WebToken] {
        let entries = try node?.entries() ?? []
        guard entries.count <= tokenLimit else {
            throw ConfigurationError(
                path: node?.path ?? "", problem: "must have at most \(tokenLimit) tokens")
        }
        var tokens: [WebToken] = []
        for (key, node) in entries {
            guard let name = PlainName(key) else { throw node.error(PlainName.rule) }
            tokens.append(WebToken(name: name, secret: try Secret(node, context)))
        }
        return tokens
    }
}

extension WebSettings {
    private static let metricsSettings = [
        PluginDescription.Setting(
            "values", "whether the present heart rates that the client may read are metrics",
            kind: .boolean, default: "false")
    ]

    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Serves a web page, an HTTP interface with live events, and metrics.",
        settings: [
            PluginDescription.Setting(
                "listen",
                "address and port; other machines reach it only at an address other than 127.0.0.1, "
                    + "and with a token",
                default: "`\(defaultAddress)`"),
            PluginDescription.Setting(
                "hosts", "names by which browsers reach it, such as that of a proxy",
                kind: .strings, default: "names and addresses of this machine"),
            PluginDescription.Setting(
                "tokens",
                "tokens by the name of the client that has it, which is granted types as "
                    + "`web:-:NAME`",
                kind: .secrets, default: "none"),
            PluginDescription.Setting(
                "metrics", "what `/metrics` has", kind: .object, default: "no health values",
                keys: metricsSettings),
        ],
        sample: """
            {
              services: {
                // Everybody in the network who has the token: pulsegate secret set web-phone
                web: { use: "web", listen: "0.0.0.0:8765", tokens: { phone: { secret: "web-phone" } } },
              },
            }

            """)
}
