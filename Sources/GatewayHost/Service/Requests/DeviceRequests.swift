import JSON

extension RequestHandler {
    /// `adopt`: adopts a device; answered when the gateway has applied it.
    package static let adopt = RequestHandler("adopt") { request, service, channel in
        let (result, outcome) = try await service.adopt(request.parameters)
        channel.send(
            JSONLine.make { json in
                result.write(to: &json)
                outcome.write(to: &json)
            })
        return nil
    }

    /// `forget`: forgets an adopted device; answered when the gateway has applied it.
    package static let forget = RequestHandler("forget") { request, service, channel in
        let (result, outcome) = try await service.forget(request.parameters)
        channel.send(
            JSONLine.make { json in
                result.write(to: &json)
                outcome.write(to: &json)
            })
        return nil
    }

    /// `devices`: answered with the devices that are adopted or configured.
    package static let devices = RequestHandler("devices") { request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let devices = try service.devices()
        channel.send(JSONLine.make { $0.objects("devices", devices) { $0.write(to: &$1) } })
        return nil
    }
}
