extension Problem {
    /// Every code has an English text in `english`. The pages have a text in each of their languages under
    /// `problem.CODE`.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        // Values of fields
        case missing
        case tooLong = "too_long"
        case notWholeNumber = "not_whole_number"
        case notNumber = "not_number"
        case outOfRange = "out_of_range"
        case notUUID = "not_uuid"
        case notTime = "not_time"
        case notLanguage = "not_language"
        case notAChoice = "not_a_choice"
        case unreadable
        case tooMany = "too_many"
        case repeated

        // Addresses and places
        case linkWithoutScheme = "link_without_scheme"
        case linkScheme = "link_scheme"
        case notLink = "not_link"
        case notPhone = "not_phone"
        case notMail = "not_mail"
        case notCoordinates = "not_coordinates"
        case latitudeOutOfRange = "latitude_out_of_range"
        case longitudeOutOfRange = "longitude_out_of_range"
        case unknownParameter = "unknown_parameter"

        // Beacons and images
        case identityTaken = "identity_taken"
        case tooManyImages = "too_many_images"
        case sideTaken = "side_taken"
        case noActionHere = "no_action_here"
        case onePictureOnly = "one_picture_only"
        case noPicturesHere = "no_pictures_here"
        case videoOnly = "video_only"
        case mapOnly = "map_only"
        case oneVideoOnly = "one_video_only"
        case untilBeforeFrom = "until_before_from"
        case placeWithoutPlan = "place_without_plan"
        case languageNeeded = "language_needed"

        // References
        case notPicture = "not_picture"
        case notVideo = "not_video"
        case notAudio = "not_audio"
        case notCaptions = "not_captions"
        case notBeacon = "not_beacon"
        case notPlan = "not_plan"
        case gone

        // Needed for publishing
        case pictureNeeded = "picture_needed"
        case galleryNeedsPictures = "gallery_needs_pictures"
        case mapNeedsPlace = "map_needs_place"
        case videoNeeded = "video_needed"

        // Findings of the gate
        case altMissing = "alt_missing"
        case transcriptMissing = "transcript_missing"
        case captionsMissing = "captions_missing"
        case languageMissing = "language_missing"
        case tooHeavy = "too_heavy"
        case linkInsecure = "link_insecure"
        case imagesAlike = "images_alike"

        // Pages
        case pageTooLarge = "page_too_large"
        case pageTooDeep = "page_too_deep"
        case pageUnknownPart = "page_unknown_part"

        // Uploads
        case fileTooLarge = "file_too_large"

        // Import
        case unknownColumn = "unknown_column"
        case keyColumnMissing = "key_column_missing"
        case languageColumn = "language_column"
        case lineRepeated = "line_repeated"
        case identityElsewhere = "identity_elsewhere"
        case noSuchBeacon = "no_such_beacon"
        case noSuchDocument = "no_such_document"
        case noSuchText = "no_such_text"
        case halfPlace = "half_place"
    }
}
