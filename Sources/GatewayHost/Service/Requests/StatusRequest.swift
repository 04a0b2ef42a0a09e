import GatewayCore
import JSON

extension RequestHandler {
    /// `status`: answered with the state of the gateway.
    package static let status = RequestHandler("status", for: .everyone) {
        request, service, channel in
        _ = try request.node.object(keys: ["request"])
        channel.send(try await service.status(for: channel.client).json + [UInt8(ascii: "\n")])
        return nil
    }

    /// `refresh`: answered when the store has the records accepted so far, or cannot soon.
    package static let refresh = RequestHandler("refresh") { request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let progress = await service.refreshStore()
        channel.send(
            JSONLine.make { json in
                json.field("refreshed", progress == .complete)
                if case .pending(let count) = progress { json.field("pending", count) }
            })
        return nil
    }

    /// `forwardDeletions`: answered at once; deletions from the store are forwarded to the sinks.
    package static let forwardDeletions = RequestHandler("forwardDeletions") {
        request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let isForwarding = await service.noteDeletions()
        channel.send(JSONLine.make { $0.field("forwarding", isForwarding) })
        return nil
    }

    /// `reload`: answered when the configuration has been read again.
    package static let reload = RequestHandler("reload") { request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let changes = try await service.reload()
        channel.send(
            JSONLine.make { json in
                json.object("reload") { json in
                    json.object("sources") { changes.sources.write(to: &$0) }
                    json.object("sinks") { changes.sinks.write(to: &$0) }
                    json.object("services") { changes.services.write(to: &$0) }
                }
            })
        return nil
    }
}

extension GatewayChange {
    fileprivate func write(to json: inout JSONWriter) {
        json.strings("kept", kept)
        json.strings("changed", changed)
        json.strings("added", added)
        json.strings("removed", removed)
    }
}
