package import Curation
package import Media

/// A part of a picture, in pixels from its top left.
package struct CropForm: Sendable {
    private let width: Int
    private let height: Int

    /// - Parameters:
    ///   - width: of the whole picture, in pixels.
    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// What the form shows at first: all but a tenth at each edge.
    package var start: FormValues {
        let (left, top) = (width / 10, height / 10)
        return FormValues([
            "left": "\(left)", "top": "\(top)", "width": "\(width - 2 * left)", "height": "\(height - 2 * top)",
        ])
    }

    /// The part, and what is wrong with it, field by field.
    package func read(_ values: FormValues) -> (area: PictureArea, mistakes: [FieldMistake]) {
        var mistakes: [FieldMistake] = []
        func number(_ field: String, _ range: ClosedRange<Int>) -> Int {
            guard let number = Int(values.trimmed(field) ?? "") else {
                mistakes.append(FieldMistake(field, Problem(.notWholeNumber)))
                return range.lowerBound
            }
            guard range.contains(number) else {
                mistakes.append(
                    FieldMistake(field, Problem(.outOfRange, "\(range.lowerBound)", "\(range.upperBound)")))
                return range.lowerBound
            }
            return number
        }
        let left = number("left", 0...max(0, width - 1))
        let top = number("top", 0...max(0, height - 1))
        let area = PictureArea(
            left: left, top: top, width: number("width", 1...max(1, width - left)),
            height: number("height", 1...max(1, height - top)))
        return (area, mistakes)
    }
}
