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
            try image(list, as: format, within: PaintBudget())
        }

        /// The file's bytes, within a budget.
        /// - Throws: `PaintError`, also where the budget is too small; its `reason` says so.
        package func image(
            _ list: DisplayList, as format: ImageFormat, within budget: PaintBudget
        ) throws(PaintError) -> [UInt8] {
            switch format {
            case .png: try png(list, budget)
            case .svg:
                try vector(list, budget, cairo_svg_surface_create_for_stream) { surface in
                    // Points would make browsers show the picture a third larger than its pixels.
                    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX)
                }
            case .pdf:
                try vector(list, budget, cairo_pdf_surface_create_for_stream) { surface in
                    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Candlewire")
                }
            }
        }

        /// The picture's pixels, row by row from the top, each `0xAARRGGBB` with colours multiplied by alpha. The
        /// ground under the list is transparent. `PNGFile` makes a file of them.
        public func pixels(_ list: DisplayList) throws(PaintError) -> [UInt32] {
            try withPixels(of: list, PaintBudget()) { start, rowWords in
                [UInt32](unsafeUninitializedCapacity: width * height) { pixels, count in
                    for y in 0..<height {
                        let row = UnsafeBufferPointer(start: start + y * rowWords, count: width)
                        _ = UnsafeMutableBufferPointer(rebasing: pixels[(y * width)...]).initialize(fromContentsOf: row)
                    }
                    count = width * height
                }
            }
        }

        private func png(_ list: DisplayList, _ budget: PaintBudget) throws(PaintError) -> [UInt8] {
            let bytes = try withPixels(of: list, budget) { start, rowWords throws(PaintError) in
                try PNGFile.encode(start, rowWords: rowWords, width: width, height: height)
            }
            guard bytes.count <= budget.maxBytes else { throw Self.tooManyBytes(budget) }
            return bytes
        }

        /// - Parameter body: gets the first pixel, and how many words a row is from the next.
        private func withPixels<R>(
            of list: DisplayList, _ budget: PaintBudget,
            _ body: (UnsafePointer<UInt32>, Int) throws(PaintError) -> R
        ) throws(PaintError) -> R {
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
            defer { cairo_surface_destroy(surface) }
            try paint(list, on: surface, budget)
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
            _ list: DisplayList, _ budget: PaintBudget, _ create: CreateVectorSurface,
            _ prepare: (OpaquePointer?) -> Void
        ) throws(PaintError) -> [UInt8] {
            let sink = ByteSink(budget)
            let surface = create(ByteSink.write, sink.pointer, Double(width) / pixelRatio, Double(height) / pixelRatio)
            defer {
                // After a failure it is this call that writes, so the sink must still live.
                cairo_surface_destroy(surface)
                withExtendedLifetime(sink) {}
            }
            prepare(surface)
            // A failure leaves nothing to write.
            defer { sink.isClosed = true }
            try paint(list, on: surface, budget, scale: 1 / pixelRatio)
            cairo_surface_finish(surface)
            if let error = sink.error { throw error }
            try check(cairo_surface_status(surface))
            return sink.bytes
        }

        private func paint(
            _ list: DisplayList, on surface: OpaquePointer?, _ budget: PaintBudget, scale: Double = 1
        ) throws(PaintError) {
            let context = cairo_create(surface)
            defer { cairo_destroy(context) }
            cairo_scale(context, scale, scale)
            var replay = CairoReplay(context)
            for command in list.commands {
                guard !budget.isOver() else { throw Self.stopped }
                replay.draw(command)
            }
            try check(cairo_status(context))
        }

        private func check(_ status: cairo_status_t) throws(PaintError) {
            guard status != CAIRO_STATUS_SUCCESS else { return }
            throw PaintError("Cairo could not make the picture: \(String(cString: cairo_status_to_string(status))).")
        }
    }

    extension CairoPainter {
        fileprivate static let stopped = PaintError("The picture was stopped before it was finished.", .stopped)

        fileprivate static func tooManyBytes(_ budget: PaintBudget) -> PaintError {
            PaintError("The file has more than \(budget.maxBytes) bytes.", .tooManyBytes)
        }
    }

    /// Collects what Cairo writes, within a budget.
    private final class ByteSink {
        private(set) var bytes: [UInt8] = []
        private(set) var error: PaintError?
        /// What Cairo writes is not wanted any more.
        var isClosed = false
        private let budget: PaintBudget

        init(_ budget: PaintBudget) { self.budget = budget }

        /// Not retained: valid as long as the sink is.
        var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        static let write: cairo_write_func_t = { sink, data, length in
            guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
            let bytes = UnsafeBufferPointer(start: data, count: Int(length))
            return Unmanaged<ByteSink>.fromOpaque(sink).takeUnretainedValue().append(bytes)
        }

        private func append(_ more: UnsafeBufferPointer<UInt8>) -> cairo_status_t {
            guard !isClosed, error == nil else { return CAIRO_STATUS_WRITE_ERROR }
            if budget.isOver() {
                error = CairoPainter.stopped
            } else if bytes.count + more.count > budget.maxBytes {
                error = CairoPainter.tooManyBytes(budget)
            } else {
                bytes.append(contentsOf: more)
                return CAIRO_STATUS_SUCCESS
            }
            return CAIRO_STATUS_WRITE_ERROR
        }
    }
#endif
