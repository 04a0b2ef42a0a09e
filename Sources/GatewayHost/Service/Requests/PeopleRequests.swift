import GatewayCore
import JSON

extension RequestHandler {
    /// `people`: answered with the people and the facts about them.
    package static let people = RequestHandler("people", for: .managers(of: .people)) {
        request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let people = await service.people()
        let today = service.today()
        let standard = await service.defaultPerson()
        channel.send(
            JSONLine.make { json in
                json.objects("people", people) { $0.write(to: &$1, today: today) }
                json.field("default", standard)
            })
        return nil
    }

    /// `setPerson`: sets facts about a person; answered when the gateway has applied it.
    package static let setPerson = RequestHandler(changing: "setPerson", of: .people) {
        service, request, _ in
        try await service.setPerson(request)
    }

    /// `setDefaultPerson`: sets the default person; answered when the gateway has applied it.
    package static let setDefaultPerson = RequestHandler(changing: "setDefaultPerson", of: .people)
    { service, request, _ in
        try await service.setDefaultPerson(request)
    }

    /// `removePerson`: removes a person; answered when the gateway has applied it.
    package static let removePerson = RequestHandler(changing: "removePerson", of: .people) {
        service, request, _ in
        try await service.removePerson(request)
    }
}
