/// The files of the pages by their path, as they are in the program.
struct StaticFiles: Sendable {
    private static let html = "text/html; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"
    private static let style = "text/css; charset=utf-8"

    private static let resources: [(path: [String], bytes: [UInt8], type: String)] = [
        (["access.js"], PackageResources.access_js, script),
        (["api.js"], PackageResources.api_js, script),
        (["app.css"], PackageResources.app_css, style),
        (["controls.js"], PackageResources.controls_js, script),
        (["devices.css"], PackageResources.devices_css, style),
        (["devices"], PackageResources.devices_html, html),
        (["devices.js"], PackageResources.devices_js, script),
        (["events.js"], PackageResources.events_js, script),
        (["figurerows.js"], PackageResources.figurerows_js, script),
        (["figures.js"], PackageResources.figures_js, script),
        (["fit.js"], PackageResources.fit_js, script),
        (["heart.js"], PackageResources.heart_js, script),
        (["history.css"], PackageResources.history_css, style),
        (["history"], PackageResources.history_html, html),
        (["history.js"], PackageResources.history_js, script),
        (["icon.svg"], PackageResources.icon_svg, "image/svg+xml"),
        ([], PackageResources.index_html, html),
        (["live.js"], PackageResources.live_js, script),
        (["manifest.json"], PackageResources.manifest_json, "application/manifest+json"),
        (["offline.js"], PackageResources.offline_js, script),
        (["overlay.css"], PackageResources.overlay_css, style),
        (["overlay"], PackageResources.overlay_html, html),
        (["overlay.js"], PackageResources.overlay_js, script),
        (["page.js"], PackageResources.page_js, script),
        (["phone.css"], PackageResources.phone_css, style),
        (["phone.js"], PackageResources.phone_js, script),
        (["plot.js"], PackageResources.plot_js, script),
        (["recent.js"], PackageResources.recent_js, script),
        (["strings.js"], PackageResources.strings_js, script),
        (["summaries.js"], PackageResources.summaries_js, script),
        (["tile.js"], PackageResources.tile_js, script),
        (["wakelock.js"], PackageResources.wakelock_js, script),
        (["wall.css"], PackageResources.wall_css, style),
        (["wall"], PackageResources.wall_html, html),
        (["wall.js"], PackageResources.wall_js, script),
        (["workouts.js"], PackageResources.workouts_js, script),
        (["zones.js"], PackageResources.zones_js, script),
    ]

    private let files: [[String]: StaticFile]

    /// The files of the program.
    init() {
        var files: [[String]: StaticFile] = [:]
        for resource in Self.resources {
            files[resource.path] = StaticFile(resource.bytes, type: resource.type)
        }
        self.files = files
    }

    /// The file at a path; nil when there is none.
    subscript(path: [String]) -> StaticFile? { files[path] }
}
