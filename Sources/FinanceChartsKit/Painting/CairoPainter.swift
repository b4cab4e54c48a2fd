// The Cairo module is there on Linux only (see Package.swift); Apple platforms have CoreGraphics.
#if canImport(CCairo)
    import CCairo
    public import ChartScene

    /// Replays a display list into a PNG, SVG or PDF file through Cairo.
    ///
    /// ```swift
    /// let bytes = try CairoPainter(width: 2400, height: 1400, pixelRatio: 2).image(list, as: .png)
    /// ```
    ///
    /// Words that are not commands end the picture and numbers that are not finite leave out their shape: no list can
    /// crash the painter.
    public struct CairoPainter: Sendable {
        /// In device pixels, 1 to 32,767.
        public let width: Int
        public let height: Int
        /// Device pixels per point; vector formats are that many times smaller than `width` and `height` say.
        public let pixelRatio: Double

        /// - Throws: `PaintError` for a size that Cairo cannot paint.
        public init(width: Int, height: Int, pixelRatio: Double = 1) throws(PaintError) {
            guard (1...32_767).contains(width), (1...32_767).contains(height) else {
                throw PaintError("A picture of \(width) x \(height) pixels cannot be painted; a side has 1 to 32767.")
            }
            guard pixelRatio > 0, pixelRatio.isFinite else {
                throw PaintError("The pixel ratio is \(pixelRatio); it is above 0.")
            }
            self.width = width
            self.height = height
            self.pixelRatio = pixelRatio
        }

        /// The file's bytes.
        /// - Throws: `PaintError` with Cairo's reason, for instance when memory runs out.
        public func image(_ list: DisplayList, as format: ImageFormat) throws(PaintError) -> [UInt8] {
            switch format {
            case .png: try png(list)
            case .svg:
                try vector(list, cairo_svg_surface_create_for_stream) { surface in
                    // Points would make browsers show the picture a third larger than its pixels.
                    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
                }
            case .pdf:
                try vector(list, cairo_pdf_surface_create_for_stream) { surface in
                    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Candlewire")
                }
            }
        }

        /// The picture's pixels, row by row from the top, each `0xAARRGGBB` with colours multiplied by alpha. The
        /// ground under the list is transparent. `PNGFile` makes a file of them.
        public func pixels(_ list: DisplayList) throws(PaintError) -> [UInt32] {
            try withPixels(of: list) { start, rowWords in
                [UInt32](unsafeUninitializedCapacity: width * height) { pixels, count in
                    for y in 0..<height {
                        let row = UnsafeBufferPointer(start: start + y * rowWords, count: width)
                        _ = UnsafeMutableBufferPointer(rebasing: pixels[(y * width)...]).initialize(fromContentsOf: row)
                    }
                    count = width * height
                }
            }
        }

        private func png(_ list: DisplayList) throws(PaintError) -> [UInt8] {
            try withPixels(of: list) { start, rowWords throws(PaintError) in
                try PNGFile.encode(start, rowWords: rowWords, width: width, height: height)
            }
        }

        /// - Parameter body: gets the first pixel, and how many words a row is from the next.
        private func withPixels<R>(
            of list: DisplayList, _ body: (UnsafePointer<UInt32>, Int) throws(PaintError) -> R
        ) throws(PaintError) -> R {
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
            defer { cairo_surface_destroy(surface) }
            try paint(list, on: surface)
            cairo_surface_flush(surface)
            guard let data = cairo_image_surface_get_data(surface) else {
                throw PaintError("Cairo has no pixels to read.")
            }
            // Rows of four bytes a pixel begin at multiples of four.
            let rowWords = Int(cairo_image_surface_get_stride(surface)) / 4
            return try data.withMemoryRebound(to: UInt32.self, capacity: rowWords * height) {
                (words) throws(PaintError) -> R in try body(words, rowWords)
            }
        }

        private typealias CreateVectorSurface = (
            cairo_write_func_t?, UnsafeMutableRawPointer?, Double, Double
        ) -> OpaquePointer?

        private func vector(
            _ list: DisplayList, _ create: CreateVectorSurface, _ prepare: (OpaquePointer?) -> Void
        ) throws(PaintError) -> [UInt8] {
            let sink = ByteSink()
            let surface = create(ByteSink.write, sink.pointer, Double(width) / pixelRatio, Double(height) / pixelRatio)
            defer {
                // After a failure it is this call that writes, so the sink must still live.
                cairo_surface_destroy(surface)
                withExtendedLifetime(sink) {}
            }
            prepare(surface)
            try paint(list, on: surface, scale: 1 / pixelRatio)
            cairo_surface_finish(surface)
            try check(cairo_surface_status(surface))
            return sink.bytes
        }

        private func paint(_ list: DisplayList, on surface: OpaquePointer?, scale: Double = 1) throws(PaintError) {
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            cairo_scale(context, scale, scale)
            var replay = CairoReplay(context)
            for command in list.commands { replay.draw(command) }
            try check(cairo_status(context))
        }

        private func check(_ status: cairo_status_t) throws(PaintError) {
            guard status != CAIRO_STATUS_SUCCESS else { return }
            throw PaintError("Cairo could not make the picture: \(String(cString: cairo_status_to_string(status))).")
        }
    }

    /// Collects what Cairo writes.
    private final class ByteSink {
        var bytes: [UInt8] = []

        /// Not retained: valid as long as the sink is.
        var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        static let write: cairo_write_func_t = { sink, data, length in
            guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
            Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue()
                .bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
            return CAIRO_STATUS_SUCCESS
        }
    }
#endif
