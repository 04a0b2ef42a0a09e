import GatewayCore
import JSON

extension RequestHandler {
    /// `adopt`: adopts a device; answered when the gateway has applied it.
    package static let adopt = RequestHandler(changing: "adopt", of: .devices) {
        try await $0.adopt($1, by: $2)
    }

    /// `forget`: forgets an adopted device; answered when the gateway has applied it.
    package static let forget = RequestHandler(changing: "forget", of: .devices) {
        service, request, _ in
        try await service.forget(request)
    }

    /// `devices`: answered with the devices that are adopted or configured.
    package static let devices = RequestHandler("devices", for: .managers(of: .devices)) {
        request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let devices = try service.devices()
        channel.send(JSONLine.make { $0.objects("devices", devices) { $0.write(to: &$1) } })
        return nil
    }
}
