extension Problem.Code {
    /// The text in English, with placeholders `{0}`, `{1}` and so on. It has one or two clauses, and no full stop.
    package var english: String {
        switch self {
        case .missing: "this is needed"
        case .tooLong: "this is too long: at most {0} characters"
        case .notWholeNumber: "write a whole number"
        case .notNumber: "write a number, such as 12.5"
        case .outOfRange: "the value must be between {0} and {1}"
        case .notUUID: "a UUID has 32 hexadecimal digits, such as 636F3F8F-6491-4BEE-95F7-D8CC64A863B5"
        case .notTime: "write a date and a time, such as 2026-05-01 10:00"
        case .notLanguage: "write a language tag, such as de or pt-BR"
        case .notAChoice: "“{0}” is not one of the choices"
        case .unreadable: "this cannot be read: {0}"
        case .tooMany: "there are too many: at most {0}"
        case .repeated: "“{0}” is there twice"

        case .linkWithoutScheme: "write the whole address, such as https://example.org/"
        case .linkScheme: "addresses must begin with https://, not with {0}:"
        case .notLink: "this is not an address, such as https://example.org/visit"
        case .notPhone: "this is not a telephone number, such as +43 1 234567"
        case .notMail: "this is not a single mail address, such as info@example.org"
        case .notCoordinates: "this is not a place, such as 48.2082, 16.3738"
        case .latitudeOutOfRange: "the latitude must be between -90 and 90 degrees"
        case .longitudeOutOfRange: "the longitude must be between -180 and 180 degrees"
        case .unknownParameter: "“{0}” is not possible here: mail has a subject and a body"

        case .identityTaken: "“{0}” already has this UUID, major and minor"
        case .tooManyImages: "a beacon has at most {0} images: delete one first, or move it to another beacon"
        case .sideTaken: "this side already has a content: choose another side, or edit the content there"
        case .noActionHere: "only an image or a map can have an action"
        case .onePictureOnly: "only one picture can be here: make it a gallery to show several"
        case .noPicturesHere: "a video has no pictures: make it an image or a gallery"
        case .videoOnly: "only a video can have this"
        case .mapOnly: "only a map can have this"
        case .oneVideoOnly: "choose either an address or a file of the library"
        case .untilBeforeFrom: "the end must be after the beginning"
        case .placeWithoutPlan: "choose the plan first"
        case .languageNeeded: "the site needs at least one language"

        case .notPicture: "“{0}” is not a picture"
        case .notVideo: "“{0}” is not a video"
        case .notAudio: "“{0}” is not a sound file"
        case .notCaptions: "“{0}” is not a captions file (WebVTT)"
        case .notBeacon: "“{0}” is not a beacon"
        case .notPlan: "“{0}” is not a plan"
        case .gone: "what was chosen here was deleted: choose another, or restore it from the bin"

        case .pictureNeeded: "choose a picture"
        case .galleryNeedsPictures: "a gallery needs at least one picture"
        case .mapNeedsPlace: "a map needs coordinates"
        case .videoNeeded: "a video needs an address or a file of the library"

        case .altMissing: "describe the picture for people who cannot see it, or mark it as decorative"
        case .transcriptMissing: "the sound has no transcript in {0}"
        case .captionsMissing: "the video has no captions"
        case .languageMissing: "there is no text in {0}"
        case .tooHeavy: "the site has {0}, and the devices hold at most {1}"
        case .linkInsecure: "visitors are only sent to https addresses: {0}"
        case .imagesAlike: "it looks so much like “{0}” that devices would confuse them"

        case .pageTooLarge: "the page is too large: at most {0} characters"
        case .pageTooDeep: "lists and quotes are nested too deeply: at most {0} levels"
        case .pageUnknownPart: "the page has a part that is not possible here: {0}"

        case .fileTooLarge: "the file is too large: at most {0}"

        case .unknownColumn: "the column is unknown; use {0}"
        case .keyColumnMissing: "the column is missing; texts are found by id and field"
        case .languageColumn: "the column is no language tag such as de or pt-BR"
        case .lineRepeated: "it is the same as in line {0}"
        case .identityElsewhere: "another beacon has this UUID, major and minor"
        case .noSuchBeacon: "there is no beacon with this id; leave it empty for a new one"
        case .noSuchDocument: "there is no document with this id"
        case .noSuchText: "the document has no such text"
        case .halfPlace: "both latitude and longitude are needed, or none"
        }
    }
}
