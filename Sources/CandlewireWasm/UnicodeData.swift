// The page's module has no tables of canonical equivalence: they and their loading would be a tenth of it, for symbols,
// identifiers and labels that are compared with what they were copied from. Strings here are equal when their scalars
// are (and Hangul, which Swift composes by arithmetic). These four are what the runtime asks such tables for.

/// The normalisation properties of a scalar: that it is a starter and stands for itself in every form.
@_cdecl("_swift_stdlib_getNormData")
public func normalisationData(_ scalar: UInt32) -> UInt16 { 0 }

/// The scalar that two others compose to: none.
@_cdecl("_swift_stdlib_getComposition")
public func composition(_ first: UInt32, _ second: UInt32) -> UInt32 { .max }

/// Where the decomposition of a scalar is. Not asked for scalars that stand for themselves.
@_cdecl("_swift_stdlib_getDecompositionEntry")
public func decompositionEntry(_ scalar: UInt32) -> UInt32 { 0 }

/// The decompositions; nothing reads them.
@_silgen_name("_swift_stdlib_nfd_decompositions")
public nonisolated(unsafe) var decompositions: UnsafePointer<UInt8>?
