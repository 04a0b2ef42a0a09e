import ByteDecoding
import GatewayCore
import HTTPClient

/// The credentials and additional headers of requests to one server.
struct Credentials: Hashable, Sendable {
    enum Login: Hashable, Sendable {
        case token(Secret)
        case password(user: String, Secret)
    }

    enum Value: Hashable, Sendable {
        case plain(String)
        case secret(Secret)
    }

    struct Field: Hashable, Sendable {
        let name: String
        let value: Value
        /// The key path in the configuration.
        let path: String
    }

    /// The headers with the secrets read from their sources.
    struct Headers: Equatable {
        let headers: [HTTPHeader]
        /// The texts to hide when a server repeats them.
        let secrets: [String]
    }

    var login: Login?
    var fields: [Field] = []

    /// The locations of the secrets, for error messages.
    var places: String? {
        var places: [String] = []
        switch login {
        case .token(let secret), .password(_, let secret): places.append("\(secret)")
        case nil: break
        }
        for case .secret(let secret) in fields.map(\.value) { places.append("\(secret)") }
        return places.isEmpty ? nil : places.joined(separator: ", ")
    }

    /// Reads the current secrets.
    func read() throws(ConfigurationError) -> Headers {
        var headers: [HTTPHeader] = []
        var secrets: [String] = []
        switch login {
        case .token(let secret):
            let token = try secret.read().text
            headers.append(try header("Authorization", "Bearer \(token)", at: "\(secret)"))
            secrets.append(token)
        case .password(let user, let secret):
            let password = try secret.read().text
            let text = Base64.text(of: Array("\(user):\(password)".utf8))
            headers.append(try header("Authorization", "Basic \(text)", at: "\(secret)"))
            secrets += [text, password]
        case nil: break
        }
        for field in fields {
            switch field.value {
            case .plain(let text): headers.append(try header(field.name, text, at: field.path))
            case .secret(let secret):
                let text = try secret.read().text
                headers.append(try header(field.name, text, at: field.path))
                secrets.append(text)
            }
        }
        return Headers(headers: headers, secrets: secrets)
    }

    private func header(
        _ name: String, _ value: String, at path: String
    ) throws(ConfigurationError) -> HTTPHeader {
        do throws(HTTPError) {
            return try HTTPHeader(name, value)
        } catch {
            throw ConfigurationError(path: path, problem: error.detail)
        }
    }
}
