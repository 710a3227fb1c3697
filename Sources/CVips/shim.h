// Functions of libvips are found at run time.
