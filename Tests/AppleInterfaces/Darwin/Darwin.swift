// The C library. Its types differ from Glibc's in places: the check finds names, not those differences.
@_exported import Glibc
