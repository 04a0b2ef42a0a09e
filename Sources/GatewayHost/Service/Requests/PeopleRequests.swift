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
        try await $0.setPerson($1)
    }

    /// `setDefaultPerson`: sets the default person; answered when the gateway has applied it.
    package static let setDefaultPerson = RequestHandler(changing: "setDefaultPerson", of: .people)
    {
        try await $0.setDefaultPerson($1)
    }

    /// `removePerson`: removes a person; answered when the gateway has applied it.
    package static let removePerson = RequestHandler(changing: "removePerson", of: .people) {
        try await $0.removePerson($1)
    }
}
