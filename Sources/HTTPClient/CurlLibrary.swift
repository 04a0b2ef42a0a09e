import CCurl

/// libcurl, opened when it is first needed.
///
/// The program is not linked with it: most gateways have no use for it, and it takes longer to load
/// than all the rest.
final class CurlLibrary: Sendable {
    private static let name = "libcurl.so.4"
    private static let installed = try? CurlLibrary(name)

    // Unsafe only for the compiler: it is written once, by the initializer, and holds the addresses of
    // functions that any thread may call.
    nonisolated(unsafe) let table: UnsafePointer<ccurl_functions>

    /// The system's libcurl, the same one each time; where there was none, it looks again.
    static func open() throws(HTTPError) -> CurlLibrary {
        if let installed { return installed }
        return try CurlLibrary(name)
    }

    /// Opens a library by its name, as the dynamic linker finds it (dlopen(3)).
    ///
    /// The library stays open when this object is gone.
    ///
    /// - Throws: ``HTTPError/Kind/configuration`` when it is not there or is no libcurl.
    init(_ name: String) throws(HTTPError) {
        let table = UnsafeMutablePointer<ccurl_functions>.allocate(capacity: 1)
        self.table = UnsafePointer(table)
        if let words = ccurl_open(name, table) {
            throw HTTPError(
                .configuration,
                "\(name) is not installed or cannot be used (\(String(cString: words))); "
                    + "sudo apt-get install libcurl4")
        }
        let code = functions.global_init(ccurl_global_everything())
        guard code == CURLE_OK else {
            throw HTTPError(.failed, "\(name) cannot be started [curl \(code.rawValue)]")
        }
    }

    deinit {
        table.deallocate()
    }

    /// libcurl's words for a code.
    func words(for code: CURLcode) -> String {
        functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    }

    /// libcurl's functions that are not variadic.
    var functions: ccurl_functions { table.pointee }
}
