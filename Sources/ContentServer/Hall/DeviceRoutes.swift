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
            let names = try await BeaconNames(
                devices.flatMap { $0.report.beacons.map(\.id) }, services, texts)
            let listed = devices.map { device in
                DeviceView(device: device, state: device.state(revision?.number, at: now), texts: texts, names: names)
            }
            let values: [String: PageValue] = [
                "devices": .map([
                    "any": .flag(!devices.isEmpty), "list": .list(listed.sorted(by: DeviceView.isWorse).map(\.value)),
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
