import JSON

extension RequestHandler {
    /// `people`: answered with the people and the facts about them.
    package static let people = RequestHandler("people") { request, service, channel in
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
    package static let setPerson = RequestHandler("setPerson") { request, service, channel in
        let (result, outcome) = try await service.setPerson(request.parameters)
        channel.send(
            JSONLine.make { json in
                result.write(to: &json)
                outcome.write(to: &json)
            })
        return nil
    }

    /// `setDefaultPerson`: sets the default person; answered when the gateway has applied it.
    package static let setDefaultPerson = RequestHandler("setDefaultPerson") {
        request, service, channel in
        let (result, outcome) = try await service.setDefaultPerson(request.parameters)
        channel.send(
            JSONLine.make { json in
                result.write(to: &json)
                outcome.write(to: &json)
            })
        return nil
    }

    /// `removePerson`: removes a person; answered when the gateway has applied it.
    package static let removePerson = RequestHandler("removePerson") { request, service, channel in
        let (result, outcome) = try await service.removePerson(request.parameters)
        channel.send(
            JSONLine.make { json in
                result.write(to: &json)
                outcome.write(to: &json)
            })
        return nil
    }
}
