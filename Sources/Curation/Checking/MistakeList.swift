/// Collects the mistakes of a document. It has the checks that several kinds of documents share.
struct MistakeList {
    private(set) var all: [FieldMistake] = []

    mutating func add(_ field: String, _ problem: Problem) {
        all.append(FieldMistake(field, problem))
    }

    mutating func text(_ field: String, _ text: String, limit: Int) {
        guard text.isLonger(than: limit) else { return }
        add(field, Problem(.tooLong, "\(limit)"))
    }

    mutating func text(_ field: String, _ text: LocalizedText, limit: Int) {
        // Texts in languages that the site had before are kept.
        let most = 4 * FieldLimits.languages
        if text.values.count > most { add(field, Problem(.tooMany, "\(most)")) }
        for (language, value) in text.values.sorted(by: { $0.key < $1.key }) {
            self.text("\(field).\(language)", value, limit: limit)
        }
    }

    mutating func range(_ field: String, _ value: Int64, in range: ClosedRange<Int64>) {
        guard !range.contains(value) else { return }
        add(field, Problem(.outOfRange, "\(range.lowerBound)", "\(range.upperBound)"))
    }

    /// Checks that a length is positive and not too large.
    mutating func size(_ field: String, _ value: Double?, most: Double) {
        guard let value, !(value >= FieldLimits.smallest && value <= most) else { return }
        add(field, Problem(.outOfRange, "\(FieldLimits.smallest)", "\(Int(most))"))
    }

    mutating func point(_ field: String, _ point: PlanPoint?) {
        guard let point, !((0...1).contains(point.x) && (0...1).contains(point.y)) else { return }
        add(field, Problem(.outOfRange, "0", "1"))
    }

    mutating func coordinates(_ field: String, _ place: Coordinates?) {
        guard let place else { return }
        if !(-90...90).contains(place.latitude) { add("\(field).latitude", Problem(.latitudeOutOfRange)) }
        if !(-180...180).contains(place.longitude) { add("\(field).longitude", Problem(.longitudeOutOfRange)) }
    }

    mutating func tags(_ field: String, _ tags: [String]) {
        if tags.count > FieldLimits.tags { add(field, Problem(.tooMany, "\(FieldLimits.tags)")) }
        if tags.contains(where: { $0.isLonger(than: FieldLimits.tag) }) {
            add(field, Problem(.tooLong, "\(FieldLimits.tag)"))
        }
    }

    mutating func distinct(_ field: String, _ values: [String], limit: Int) {
        if values.count > limit { add(field, Problem(.tooMany, "\(limit)")) }
        var seen: Set<String> = []
        for value in values where !seen.insert(value.lowercased()).inserted {
            add(field, Problem(.repeated, value))
        }
    }

    /// Adds the problem that `read` throws, if any.
    mutating func value(_ field: String, _ read: () throws(Problem) -> Void) {
        do {
            try read()
        } catch {
            add(field, error)
        }
    }
}
