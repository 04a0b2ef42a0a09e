package import GatewayCore
package import JSON
package import Platform

/// A table of request handlers by name.
package struct RequestRouter: Sendable {
    private let handlers: [RequestHandler]

    /// Makes a router of handlers with different names.
    package init(_ handlers: [RequestHandler] = RequestRouter.all) {
        self.handlers = handlers
    }

    /// Makes a router with further handlers.
    package func adding(_ more: [RequestHandler]) -> RequestRouter {
        RequestRouter(handlers + more)
    }

    /// The requests that a gateway answers.
    package static let all: [RequestHandler] = [
        .status, .tap, .reload, .add, .ingest, .workout, .devices, .adopt, .forget, .people,
        .setPerson, .setDefaultPerson, .removePerson, .query, .refresh, .forwardDeletions,
        .ping, .hello, .access, .requestAccess, .listAccess, .grantAccess, .revokeAccess,
    ]

    /// Reads a request and finds its handler.
    ///
    /// - Throws: ``ConfigurationError`` with the message for the client.
    package func route(
        _ line: some Collection<UInt8>
    ) throws(ConfigurationError) -> (handler: RequestHandler, request: ServiceRequest) {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw ConfigurationError(path: "", problem: "not UTF-8 text")
        }
        let members: JSONMembers
        let value: JSONValue?
        do throws(JSONError) {
            members = try JSONMembers(json5: text)
            value = try members.value(of: "request")
        } catch {
            throw ConfigurationError(error)
        }
        guard let value else {
            throw ConfigurationError(path: "", problem: "the key `request` is missing")
        }
        let node = ConfigurationNode(path: "request", value: value)
        let name = try node.choice(of: handlers.map(\.name))
        guard let handler = handlers.first(where: { $0.name == name }) else {
            throw node.error("`\(name)` is unknown")
        }
        return (handler, try ServiceRequest(members, bytesKeys: handler.bytesKeys))
    }

    /// Answers a request; an invalid one is answered with an error.
    ///
    /// - Returns: The name of the request, and the stream of lines after the answer.
    package func answer(
        _ line: some Collection<UInt8>, _ service: GatewayService, _ channel: any ResponseChannel
    ) async -> (name: String, stream: (any ResponseStream)?)? {
        do {
            let (handler, request) = try route(line)
            let stream = try await handler.handle(request, service, channel)
            return (handler.name, stream)
        } catch is CancellationError, is ResponseChannelClosed {
            return nil
        } catch let error as ConfigurationError {
            channel.send(Self.errorLine(error.description, key: error.path))
        } catch let error as JSONError {
            channel.send(Self.errorLine(error.description, key: error.path))
        } catch let error as AccessError {
            channel.send(Self.errorLine(error.description, code: error.code.rawValue))
        } catch let error as HostError {
            channel.send(Self.errorLine(error.text, code: error.failureCause?.code))
        } catch {
            let cause = (error as? any CausedError)?.failureCause
            channel.send(Self.errorLine("\(error)", code: cause?.code))
        }
        return nil
    }

    /// The line with an error; `key` is the key path in the request, empty for the whole request.
    ///
    /// An error about access has the `code` of ``AccessError``, and one with a cause that of the cause.
    package static func errorLine(
        _ problem: String, key: String = "", code: String? = nil
    ) -> [UInt8] {
        JSONLine.make { json in
            json.field("error", problem)
            json.field("key", key.isEmpty ? nil : key)
            json.field("code", code)
        }
    }
}

extension FailureCause {
    /// The code in an error line; nil for an error that needs none, because of the present state.
    package var code: String? { self == .conflict ? nil : rawValue }
}

/// The requests of a service's clients to the gateway that runs it.
struct RoutedRequests: GatewayRequests {
    private let router: RequestRouter
    private let service: GatewayService

    init(_ router: RequestRouter, _ service: GatewayService) {
        self.router = router
        self.service = service
    }

    func answer(
        _ request: [UInt8], on channel: any ResponseChannel
    ) async -> (any ResponseStream)? {
        await router.answer(request, service, channel)?.stream
    }
}

/// A line of JSON with its line break.
package enum JSONLine {
    /// Makes the line of an object.
    package static func make(_ content: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(content)
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
