/// A unit of what curators edit. It is saved, published, undone and restored as a whole.
package enum Document: Hashable, Sendable {
    case beacon(BeaconDocument)
    case image(ImageDocument)
    case media(MediaDocument)
    case plan(PlanDocument)
    case site(SiteDocument)

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case beacon, image, media, plan, site
    }

    package var kind: Kind {
        switch self {
        case .beacon: .beacon
        case .image: .image
        case .media: .media
        case .plan: .plan
        case .site: .site
        }
    }

    package var beacon: BeaconDocument? { if case .beacon(let value) = self { value } else { nil } }
    package var image: ImageDocument? { if case .image(let value) = self { value } else { nil } }
    package var media: MediaDocument? { if case .media(let value) = self { value } else { nil } }
    package var plan: PlanDocument? { if case .plan(let value) = self { value } else { nil } }
    package var site: SiteDocument? { if case .site(let value) = self { value } else { nil } }
}
