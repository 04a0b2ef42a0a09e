package import GatewayCore
import JSON

/// A request of a client: an object, some of whose values are available as bytes only.
package struct ServiceRequest: Sendable {
    private static let nameKey = "request"

    private let members: JSONMembers
    /// The object without the values that are available as bytes.
    package let node: ConfigurationNode

    /// Reads the object; the values of `bytesKeys` are validated, but no trees are made of them.
    init(_ members: JSONMembers, bytesKeys: [String]) throws(ConfigurationError) {
        self.members = members
        do {
            node = ConfigurationNode(path: "", value: try members.value(without: bytesKeys))
        } catch {
            throw ConfigurationError(error)
        }
    }

    /// The object without the name of the request.
    package var parameters: ConfigurationNode {
        guard case .object(var fields) = node.value else { return node }
        fields[Self.nameKey] = nil
        return ConfigurationNode(path: node.path, value: .object(fields), types: node.types)
    }

    /// The bytes of the value of a required key.
    package func bytes(of key: String) throws(ConfigurationError) -> ArraySlice<UInt8> {
        guard let bytes = members.bytes(of: key) else { throw missing(key) }
        return bytes
    }

    /// The bytes of each element of a required list.
    package func elements(of key: String) throws(ConfigurationError) -> [ArraySlice<UInt8>] {
        do throws(JSONError) {
            if let elements = try members.elements(of: key) { return elements }
        } catch {
            throw ConfigurationError(error)
        }
        throw missing(key)
    }

    private func missing(_ key: String) -> ConfigurationError {
        node.error("the key `\(key)` is missing")
    }
}
