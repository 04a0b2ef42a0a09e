package import GatewayCore
import JSON

/// The requests of any client about itself.
extension RequestHandler {
    /// `ping`: answered with the version and whether all parts work, without types, names and values.
    package static let ping = RequestHandler("ping", for: .everyone) { request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let report = await service.status()
        let isHealthy =
            report.journal.failure == nil
            && (report.sources + report.services).allSatisfy { $0.failure == nil }
            && report.sinks.allSatisfy { $0.part.failure == nil }
        channel.send(
            JSONLine.make { json in
                json.object("ping") { json in
                    json.field("version", report.version)
                    json.field("uptimeSeconds", report.uptimeSeconds)
                    json.field("healthy", isHealthy)
                }
            })
        return nil
    }

    /// `hello`: the client gives its name; answered with its identity.
    package static let hello = RequestHandler("hello", for: .everyone) {
        request, service, channel in
        let object = try request.node.object(keys: ["request", "name", "purpose"])
        let introduction = ServiceClient.Introduction(
            name: try PlainName(object.require("name")),
            purpose: try object["purpose"].flatMap { try AccessEntry.purpose($0) })
        guard channel.client.introduce(introduction) else {
            throw ConfigurationError(
                path: "name", problem: "this connection has another name; open a new connection")
        }
        channel.send(
            JSONLine.make { json in
                json.object("hello") { json in
                    json.field("client", channel.client.id?.description)
                    json.field("owner", channel.client.isOwner)
                    json.field("version", Version.current)
                }
            })
        return nil
    }

    /// `access`: answered with what the client has.
    package static let access = RequestHandler("access", for: .everyone) {
        request, service, channel in
        _ = try request.node.object(keys: ["request"])
        channel.send(try line(of: channel.client, service))
        return nil
    }

    /// `requestAccess`: the client asks for types; answered with what it has.
    package static let requestAccess = RequestHandler("requestAccess", for: .everyone) {
        request, service, channel in
        let object = try request.node.knowing(await service.types()).object(
            keys: ["request", "purpose"] + AccessKind.allCases.map(\.rawValue))
        let wanted = try AccessRequest(object)
        if !channel.client.isOwner { _ = try await service.access.ask(channel.client, wanted) }
        channel.send(try line(of: channel.client, service))
        return nil
    }

    /// The access of a client; the owner has all of it.
    private static func line(
        of client: ServiceClient, _ service: GatewayService
    ) throws(AccessError) -> [UInt8] {
        guard !client.isOwner else {
            return JSONLine.make { json in
                json.object("access") { $0.field("owner", true) }
            }
        }
        guard let id = client.id else { throw .noName }
        let entry = try service.access.entry(of: id)
        return JSONLine.make { json in
            json.object("access") { json in
                json.field("owner", false)
                entry.write(to: &json)
            }
        }
    }
}

/// The requests of the owner about the access of clients.
extension RequestHandler {
    /// `listAccess`: answered with the clients and their access.
    package static let listAccess = RequestHandler("listAccess") { request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let entries = try service.access.entries()
        channel.send(JSONLine.make { $0.objects("clients", entries) { $0.write(to: &$1) } })
        return nil
    }

    /// `grantAccess`: grants types to a client; answered with its access.
    package static let grantAccess = RequestHandler("grantAccess") { request, service, channel in
        channel.send(
            try await AccessChange.grant.make(
                request.parameters.knowing(await service.types()), in: service.access))
        return nil
    }

    /// `revokeAccess`: denies types to a client, or all; answered with its access.
    package static let revokeAccess = RequestHandler("revokeAccess") { request, service, channel in
        channel.send(
            try await AccessChange.revoke.make(
                request.parameters.knowing(await service.types()), in: service.access))
        return nil
    }
}

/// A change of the access of a client by the owner: by the running gateway, or by a command when none runs.
package enum AccessChange: Sendable {
    case grant, revoke

    /// The key of the client.
    package static let clientKey = "client"
    /// The key that removes the client.
    package static let forgetKey = "forget"

    /// Makes the change that a request describes, and returns the line of the answer.
    package func make(
        _ node: ConfigurationNode, in access: AccessControl
    ) async throws -> [UInt8] {
        let object = try node.object(
            keys: [Self.clientKey] + AccessKind.allCases.map(\.rawValue)
                + (self == .revoke ? [Self.forgetKey] : []))
        let clientNode = try object.require(Self.clientKey)
        guard let client = ClientID(try clientNode.string()) else {
            throw clientNode.error("is not a client such as control:1001:dashboard")
        }
        if client.isProgram { try Self.check(client, clientNode, object, access) }
        if try object[Self.forgetKey]?.boolean() == true {
            guard try await access.forget(client) else {
                throw clientNode.error("there is no client \(client)")
            }
            return JSONLine.make { $0.field("forgotten", client.description) }
        }
        var selections = try AccessRequest.selections(object)
        if selections.isEmpty {
            guard self == .revoke else { throw AccessRequest.namesNothing }
            let kinds = client.isProgram ? [.read] : AccessKind.allCases
            selections = Dictionary(uniqueKeysWithValues: kinds.map { ($0, .all) })
        }
        let decided = try await access.decide(
            client, selections, self == .grant ? .granted : .denied)
        let entry = client.isProgram ? decided.configured : decided
        return JSONLine.make { json in
            json.object("access") { entry.write(to: &$0) }
        }
    }

    /// Checks a change of a program of the configuration, which gets records and stores none.
    private static func check(
        _ client: ClientID, _ node: ConfigurationNode, _ object: ConfigurationObject,
        _ access: AccessControl
    ) throws {
        guard try access.knows(program: client) else {
            throw node.error("there is no sink with the program \(client) in the configuration")
        }
        if let manage = object[AccessKind.manage.rawValue] {
            throw manage.error("a sink changes nothing")
        }
        guard let share = object[AccessKind.share.rawValue] else { return }
        throw share.error(
            "a sink stores nothing; to stop a program that is a source, remove the source from the "
                + "configuration")
    }
}
