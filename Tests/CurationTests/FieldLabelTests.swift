import Curation
import Testing

@Suite("The label of a field")
struct FieldLabelTests {
    @Test(
        "is found by the field's path, whatever language or number follows",
        arguments: [
            ("picture.alt", FieldLabel.alt, nil),
            ("picture.alt.de", .alt, nil),
            ("width_cm", .width, nil),
            ("contents.left.action.value", .actionValue, ContentItem.Side.left),
            ("contents.bottom.pictures.2.alt", .alt, .bottom),
            ("contents.top", .content, .top),
            ("page.title", .pageTitle, nil),
            ("page.body.de", .pageText, nil),
        ] as [(String, FieldLabel, ContentItem.Side?)])
    func path(_ path: String, label: FieldLabel, side: ContentItem.Side?) {
        let found = FieldLabel.find(path)
        #expect(found?.label == label)
        #expect(found?.side == side)
    }

    @Test("is missing where the path names no field")
    func none() {
        #expect(FieldLabel.find("") == nil)
        #expect(FieldLabel.find("nothing.here") == nil)
    }
}
