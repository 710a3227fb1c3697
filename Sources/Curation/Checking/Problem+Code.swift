extension Problem {
    /// Every code has an English text in `english`; the pages have it in their languages under `problem.CODE`.
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

        // What a document refers to
        case notPicture = "not_picture"
        case notVideo = "not_video"
        case notAudio = "not_audio"
        case notCaptions = "not_captions"
        case notBeacon = "not_beacon"
        case notPlan = "not_plan"
        case gone

        // Needed to publish
        case pictureNeeded = "picture_needed"
        case galleryNeedsPictures = "gallery_needs_pictures"
        case mapNeedsPlace = "map_needs_place"
        case videoNeeded = "video_needed"
        case beaconIncomplete = "beacon_incomplete"

        // The gate at publishing
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
        case fileEmpty = "file_empty"
        case fileTooLarge = "file_too_large"
        case fileKindUnknown = "file_kind_unknown"
        case fileDamaged = "file_damaged"
        case fileIncomplete = "file_incomplete"
        case pictureTooLarge = "picture_too_large"
        case vectorRefused = "vector_refused"
        case storeFull = "store_full"
        case uploadBusy = "upload_busy"

        // Accounts, sessions and tokens
        case nameTaken = "name_taken"
        case notAccountName = "not_account_name"
        case passwordTooShort = "password_too_short"
        case passwordTooLong = "password_too_long"
        case passwordTooCommon = "password_too_common"
        case passwordWrong = "password_wrong"
        case passwordsDiffer = "passwords_differ"
        case signInFailed = "sign_in_failed"
        case signInLater = "sign_in_later"
        case linkExpired = "link_expired"
        case lastAdministrator = "last_administrator"
        case notAllowed = "not_allowed"
        case expiryPast = "expiry_past"
        case scopeNeeded = "scope_needed"
        case formExpired = "form_expired"

        // Saving and publishing
        case changedMeanwhile = "changed_meanwhile"
        case deletedMeanwhile = "deleted_meanwhile"
        case inUse = "in_use"
        case nothingToPublish = "nothing_to_publish"
        case revisionUnknown = "revision_unknown"

        // Import
        case columnMissing = "column_missing"
        case rowTooLong = "row_too_long"
        case notArchive = "not_archive"
        case archiveUnsafe = "archive_unsafe"
        case archiveTooLarge = "archive_too_large"
        case notCSV = "not_csv"
        case unknownBeacon = "unknown_beacon"
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
