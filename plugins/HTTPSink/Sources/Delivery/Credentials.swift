import GatewayCore
import HTTPClient

/// Who the gateway is for the server, and what else a request carries that is not the same for everybody.
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
        /// Where it stands in the configuration.
        let path: String
    }

    /// The headers, as they were when they were read.
    struct Headers: Equatable {
        let headers: [HTTPHeader]
        /// What a server must not get back into a file.
        let secrets: [String]
    }

    var login: Login?
    var fields: [Field] = []

    /// Where the secrets are, for whoever has to mend them.
    var places: String? {
        var places: [String] = []
        switch login {
        case .token(let secret), .password(_, let secret): places.append("\(secret)")
        case nil: break
        }
        for case .secret(let secret) in fields.map(\.value) { places.append("\(secret)") }
        return places.isEmpty ? nil : places.joined(separator: ", ")
    }

    /// Reads the secrets, as they are now.
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
        _ name: String, _ value: String, at place: String
    ) throws(ConfigurationError) -> HTTPHeader {
        do throws(HTTPError) {
            return try HTTPHeader(name, value)
        } catch {
            throw ConfigurationError(path: place, problem: error.detail)
        }
    }
}
