// What the page's module does differently with strings than the standard library. The linker uses these functions in
// the place of the library's, by their symbols; a module of its own, because the library's are known where it compares
// strings. A symbol that a later toolchain calls otherwise only makes the module larger.
//
// Strings here are equal when their bytes are: symbols, identifiers and labels are compared with what they were copied
// from. The library's canonical equivalence, with its normal forms, would be a fiftieth of the module.

/// `Swift._stringCompare(_:_:expecting:)`.
/// - Parameter expecting: 0: equal, 1: the first one is less.
@_silgen_name("$es14_stringCompare__9expectingSbs11_StringGutsV_ADs01_D16ComparisonResultOtF")
public func compareStrings(_ first: String, _ second: String, _ expecting: UInt8) -> Bool {
    first.utf8.withContiguousStorageIfAvailable { first in
        second.utf8.withContiguousStorageIfAvailable { second in
            var at = 0
            while at < first.count, at < second.count, first[at] == second[at] { at += 1 }
            if expecting == 0 { return at == first.count && at == second.count }
            return at < second.count && (at == first.count || first[at] < second[at])
        } == true
    } == true
}

/// `Swift._stringCompareWithSmolCheck(_:_:expecting:)`, to which the one above comes where it was written out.
@_silgen_name("$es27_stringCompareWithSmolCheck__9expectingSbs11_StringGutsV_ADs01_G16ComparisonResultOtF")
public func compareOtherStrings(_ first: String, _ second: String, _ expecting: UInt8) -> Bool {
    compareStrings(first, second, expecting)
}

/// `Swift.String.hash(into:)`: FNV-1a in the place of a cipher, whose seed would be known here anyway.
@_silgen_name("$eSS4hash4intoys6HasherVz_tF")
public func hashBytes(_ hasher: inout Hasher, _ text: String) {
    text.utf8.withContiguousStorageIfAvailable { bytes in
        var hash: UInt32 = 0x811C_9DC5
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        hasher.combine(hash)
    }
}

// Every string of the module is its own UTF-8. The functions below are for strings of another runtime and for indices
// counted in UTF-16, of which there are none.

/// `Swift._StringGutsSlice._slowCompare(with:expecting:)`.
@_silgen_name("$es16_StringGutsSliceV12_slowCompare4with9expectingSbAB_s01_A16ComparisonResultOtF")
public func unusedCompare() -> Never { fatalError() }

/// `Swift._StringGutsSlice._normalizedHash(into:)`.
@_silgen_name("$es16_StringGutsSliceV15_normalizedHash4intoys6HasherVz_tF")
public func unusedHash() -> Never { fatalError() }

/// `Swift._StringGuts._slowEnsureMatchingEncoding(_:)`.
@_silgen_name("$es11_StringGutsV27_slowEnsureMatchingEncodingySS5IndexVAEF")
public func unusedEncoding() -> Never { fatalError() }

/// `Swift._StringGuts.foreignScalarAlign(_:)`.
@_silgen_name("$es11_StringGutsV18foreignScalarAlignySS5IndexVAEF")
public func unusedAlign() -> Never { fatalError() }

/// `Swift._StringGuts._foreignAppendInPlace(_:)`.
@_silgen_name("$es11_StringGutsV21_foreignAppendInPlace33_408A76AB043BD3EFBAB6FAAAAA9B4914LLyys01_aB5SliceVF")
public func unusedAppend() -> Never { fatalError() }

/// `Swift.String.UTF8View._foreignDistance(from:to:)`.
@_silgen_name("$eSS8UTF8ViewV16_foreignDistance4from2toSiSS5IndexV_AGtF")
public func unusedDistance() -> Never { fatalError() }

/// `Swift.String.UTF8View._foreignIndex(_:offsetBy:)`.
@_silgen_name("$eSS8UTF8ViewV13_foreignIndex_8offsetBySS0D0VAF_SitF")
public func unusedIndex() -> Never { fatalError() }

/// `Swift.String.UTF8View._foreignCount()`.
@_silgen_name("$eSS8UTF8ViewV13_foreignCountSiyF")
public func unusedCount() -> Never { fatalError() }
