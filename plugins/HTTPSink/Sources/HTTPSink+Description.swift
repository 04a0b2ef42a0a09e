package import GatewayCore

extension HTTPSink {
    /// The factory for `use: "http"`.
    package static let factory = SinkFactory(
        use: "http", keys: HTTPSinkSettings.keys, about: about
    ) { object, context throws(ConfigurationError) in
        HTTPSink(settings: try HTTPSinkSettings(object, context), context: context)
    }

    /// What `pulsegate plugins` tells; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Sends records to a server by HTTP: a database, a FHIR server, or your own.",
        settings: [
            setting("url", "where a batch is POSTed, http:// or https://", nil),
            setting(
                "format", "the format of a batch", "json",
                kind: .words(RequestFormat.allCases.map(\.rawValue))),
            setting(
                "token",
                "the bearer token, kept elsewhere: { file: \"…\" }, { env: \"…\" } or "
                    + "{ credential: \"…\" }", kind: .secret),
            setting("user", "a user's name for basic authentication, in the place of a token"),
            setting("password", "the user's password, kept elsewhere like a token", kind: .secret),
            setting(
                "headers", "further headers: { \"X-Name\": \"value\" }, or kept elsewhere",
                kind: .object),
            setting("ca", "PEM file with the authorities to trust", "the system's"),
            setting(
                "certificate",
                "the gateway's own, for a server that asks: { certificate: \"a.pem\", key: "
                    + "\"a.key\" }", kind: .object),
            setting("socket", "the Unix socket that the server listens on"),
            setting("timeout", "seconds for one request, from 1 to 3600", "60", kind: .number),
            setting(
                "whenAllRejected",
                "when the server takes none of \(refusalLimit) records: `block`, or `reject` to put all "
                    + "aside", HTTPSinkSettings.AllRejected.block.rawValue,
                kind: .words(HTTPSinkSettings.AllRejected.allCases.map(\.rawValue))),
        ],
        sample: """
            {
              // Send what straps measure to a repository, besides keeping it.
              sources: {
                straps: { use: "bluetooth" },
              },
              sinks: {
                store: { use: "sqlite" },
                repository: {
                  use: "http",
                  url: "https://repo.example/v1/samples",
                  format: "json",
                  // token: { file: "repo.token" },     // in the data directory, chmod 600
                },
              },
            }

            """)

    private static func setting(
        _ name: String, _ meaning: String, _ usual: String? = "none",
        kind: PluginDescription.Setting.Kind = .string
    ) -> PluginDescription.Setting {
        PluginDescription.Setting(name, meaning, kind: kind, default: usual)
    }
}
