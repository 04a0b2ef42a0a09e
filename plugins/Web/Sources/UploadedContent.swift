import GatewayCore
import HTTPServer

/// The content of an HTTP request, which the gateway reads piece by piece.
struct UploadedContent: RequestContent {
    static let type = "application/octet-stream"

    let input: HTTPInput

    func next() async throws -> [UInt8]? {
        do throws(HTTPInput.Failure) {
            return try await input.next()
        } catch {
            switch error {
            case .closed: throw ResponseChannelClosed()
            case .tooLong: throw RequestContentTooLong()
            }
        }
    }
}
