package import GatewayCore

extension HTTPSink {
    /// The factory for `use: "http"`.
    package static let factory = SinkFactory(
        use: "http", keys: HTTPSinkSettings.keys, about: about
    ) { object, context throws(ConfigurationError) in
        HTTPSink(settings: try HTTPSinkSettings(object, context), context: context)
    }

    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Sends records to an HTTP server: a database, a FHIR server, or your own.",
        settings: [
            setting("url", "URL that batches are posted to, http:// or https://", nil),
            setting(
                "format", "format of the request body", "json",
                kind: .words(RequestFormat.allCases.map(\.rawValue))),
            setting(
                "token",
                "bearer token, as a secret: { secret: \"…\" }, { file: \"…\" }, { env: \"…\" } or "
                    + "{ credential: \"…\" }", kind: .secret),
            setting("user", "user name for basic authentication, instead of a token"),
            setting("password", "password for basic authentication, as a secret", kind: .secret),
            setting(
                "headers", "additional headers: { \"X-Name\": \"value\" }; a value can be a secret",
                kind: .object),
            setting("ca", "PEM file with the certificate authorities to trust", "the system's"),
            PluginDescription.Setting(
                "certificate",
                "client certificate and key: { certificate: \"a.pem\", key: \"a.key\" }",
                kind: .object, default: "none", keys: HTTPSinkSettings.certificateSettings),
            setting("socket", "Unix socket that the server listens on"),
            setting(
                "timeout", "timeout of a request in seconds, from 1 to 3600", "60", kind: .number),
            setting(
                "whenAllRejected",
                "action after the server rejected \(rejectionLimit) consecutive records: `block`, or "
                    + "`reject` to write them to the reject file",
                HTTPSinkSettings.AllRejected.block.rawValue,
                kind: .words(HTTPSinkSettings.AllRejected.allCases.map(\.rawValue))),
        ],
        sample: """
            {
              // Send samples to a repository, and store them locally.
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

extension HTTPSinkSettings {
    /// The descriptions of the keys of `certificate`.
    static let certificateSettings = [
        PluginDescription.Setting(
            "certificate", "PEM file with the client certificate, relative to the data directory"),
        PluginDescription.Setting(
            "key",
            "PEM file with its private key, without a passphrase, relative to the data directory"),
    ]
}
