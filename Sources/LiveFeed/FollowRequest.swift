import GatewayCore
package import GatewayHost
import JSON

extension RequestHandler {
    static let followName = "follow"

    /// `follow`: answered with the state of the people, then with each change of it.
    package static func follow(_ feed: LiveFeed) -> RequestHandler {
        RequestHandler(followName, for: .everyone) { request, service, channel in
            let object = try request.node.object(keys: ["request", "person"])
            try service.check(channel.client, tapping: nil)
            let names = await service.peopleNames()
            // To another user an unknown person is one without records.
            let person = try object["person"].map { node throws(ConfigurationError) in
                channel.client.isOwner ? try node.person(of: names) : try node.string()
            }
            return await feed.follow(person, service, channel)
        }
    }
}
