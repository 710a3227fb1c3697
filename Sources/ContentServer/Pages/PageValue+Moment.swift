import Beacon
import Curation
import Text

extension PageValue {
    /// An instant for `{{>time}}`: the browser shows it in its own zone, and without scripts it is in UTC.
    static func moment(_ moment: Moment?) -> PageValue {
        guard let moment else { return .none }
        // RFC 3339 begins with the date, a T, and hours and minutes.
        let text = moment.description
        return [
            "iso": .text(text),
            "text": .text(text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"),
        ]
    }
}
