import Beacon
import Curation
import CurationStore
import HTTPTypes
package import Hummingbird

/// What the hall really shows: which device holds which revision, and what it receives.
package struct DeviceRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.get("/devices") { _, context in
            try context.signedIn()
            let texts = services.texts(context)
            let now = services.now()
            // The devices first: one may report a revision that is published meanwhile.
            let devices = try await services.store.devices()
            let revision = try await services.store.currentRevision()
            let listed = try await Self.detailed(
                devices.map { DeviceView(device: $0, state: $0.state(revision?.number, at: now), texts: texts) },
                services, texts)
            let values: [String: PageValue] = [
                "devices": .map([
                    "any": .flag(!devices.isEmpty), "list": .list(listed.map(\.value)),
                ]),
                "held": Self.held(listed, revision, texts),
                "ahead": texts.devicesAhead(try await services.store.revisionNumbers()),
            ]
            return try await services.page("devices", values, context)
        }
        router.post("/devices/forget") { _, context in
            try context.signedIn(.editor)
            try await services.store.forgetDevice(context.form.raw("host") ?? "")
            return services.redirect(to: "/devices?done=removed")
        }
    }

    /// What needs somebody first, with what the first of them receive.
    private static func detailed(
        _ devices: [DeviceView], _ services: CuratorServices, _ texts: Catalogue
    ) async throws -> [DeviceView] {
        var devices = devices.sorted(by: DeviceView.isWorse)
        let hosts = devices.prefix(DeviceView.mostDetailed).map(\.device.host)
        let heard = try await services.store.hearings(of: hosts, into: [:]) {
            (heard: inout [String: [DeviceReport.Heard]], hearing) in
            heard[hearing.host] = Array(hearing.beacons.prefix(DeviceView.mostBeacons))
        }
        let names = try await BeaconNames(heard.values.joined().map(\.id), services, texts)
        for index in devices.indices {
            devices[index].beacons = heard[devices[index].device.host] ?? []
            devices[index].names = names
        }
        return devices
    }

    /// "Published 10:02, held by 7 of 9 devices", the time being an element of its own.
    private static func held(_ devices: [DeviceView], _ revision: Revision?, _ texts: Catalogue) -> PageValue {
        guard let revision, !devices.isEmpty else { return .none }
        let count = devices.count { $0.holds(revision.number) }
        let mark = "\u{1}"
        let words = texts.plural(
            "devices.held", count, total: devices.count, "\(revision.number)", mark
        ).split(separator: mark, omittingEmptySubsequences: false)
        return [
            "before": .text(words.first.map { String($0) } ?? ""), "at": .moment(revision.at),
            "after": .text(words.count > 1 ? String(words[1]) : ""),
            "tone": count == devices.count ? "good" : "warn",
            "share": .text("\(count * 100 / devices.count)"),
        ]
    }
}

extension Catalogue {
    /// A plural text whose form the total decides: `{0}` of `{1}` devices.
    fileprivate func plural(
        _ name: String, _ count: Int, total: Int, _ arguments: String...
    ) -> String {
        let form = "\(name).\(PluralForm(total, language: language).rawValue)"
        return text(has(form) ? form : "\(name).other", arguments: ["\(count)", "\(total)"] + arguments)
    }
}
