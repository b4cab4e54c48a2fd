/// When clocks changed and change in the countries of `ZoneTable`, as far as that matters from 1970 on.
///
/// The facts are those of the IANA time zone database, version 2025b, which is in the public domain
/// (https://www.iana.org/time-zones, files `europe`, `asia`, `northamerica`...), and are written much as there:
/// `1981- Mar lastSun 1:30u 1` says that in every year from 1981 on, on March's last Sunday at 01:30 UTC, clocks go to
/// one hour ahead of standard time. `Sun>=8` is the first Sunday on or after the 8th, `s` standard time, and without a
/// letter the time of day is that of the clocks themselves; 24 is the end of the day.
enum DaylightTable {
    /// What is in force under a name of the table; nothing where the whole year has standard time.
    static func rules(_ name: StaticString) -> [DaylightRule] {
        text.withUTF8Buffer { text in
            var reader = DaylightReader(text: text)
            var rules: [DaylightRule] = []
            guard reader.find(name) else { return [] }
            repeat { rules.append(reader.rule()) } while reader.skip(",")
            return rules
        }
    }

    private static let text: StaticString = """
        unitedStates: 1967-2006 Oct lastSun 2 0, 1967-1973 Apr lastSun 2 1, 1974 Jan 6 2 1, 1975 Feb lastSun 2 1, \
            1976-1986 Apr lastSun 2 1, 1987-2006 Apr Sun>=1 2 1, 2007- Mar Sun>=8 2 1, 2007- Nov Sun>=1 2 0
        toronto: 1946-1973 Apr lastSun 2 1, 1957-1973 Oct lastSun 2 0
        canada: 1974-1986 Apr lastSun 2 1, 1974-2006 Oct lastSun 2 0, 1987-2006 Apr Sun>=1 2 1, 2007- Mar Sun>=8 2 1, \
            2007- Nov Sun>=1 2 0
        vancouver: 1946-1986 Apr lastSun 2 1, 1962-2006 Oct lastSun 2 0
        brazil: 1966-1968 Mar 1 0 0, 1966-1967 Nov 1 0 1, 1985 Nov 2 0 1, 1986 Mar 15 0 0, 1986 Oct 25 0 1, \
            1987 Feb 14 0 0, 1987 Oct 25 0 1, 1988 Feb 7 0 0, 1988 Oct 16 0 1, 1989 Jan 29 0 0, 1989 Oct 15 0 1, \
            1990 Feb 11 0 0, 1990 Oct 21 0 1, 1991 Feb 17 0 0, 1991 Oct 20 0 1, 1992 Feb 9 0 0, 1992 Oct 25 0 1, \
            1993 Jan 31 0 0, 1993-1995 Oct Sun>=11 0 1, 1994-1995 Feb Sun>=15 0 0, 1996 Feb 11 0 0, 1996 Oct 6 0 1, \
            1997 Feb 16 0 0, 1997 Oct 6 0 1, 1998 Mar 1 0 0, 1998 Oct 11 0 1, 1999 Feb 21 0 0, 1999 Oct 3 0 1, \
            2000 Feb 27 0 0, 2000-2001 Oct Sun>=8 0 1, 2001-2006 Feb Sun>=15 0 0, 2002 Nov 3 0 1, 2003 Oct 19 0 1, \
            2004 Nov 2 0 1, 2005 Oct 16 0 1, 2006 Nov 5 0 1, 2007 Feb 25 0 0, 2007 Oct Sun>=8 0 1, \
            2008-2017 Oct Sun>=15 0 1, 2008-2011 Feb Sun>=15 0 0, 2012 Feb Sun>=22 0 0, 2013-2014 Feb Sun>=15 0 0, \
            2015 Feb Sun>=22 0 0, 2016-2019 Feb Sun>=15 0 0, 2018 Nov Sun>=1 0 1
        mexico: 1996-2000 Apr Sun>=1 2 1, 1996-2000 Oct lastSun 2 0, 2001 May Sun>=1 2 1, 2001 Sep lastSun 2 0, \
            2002-2022 Apr Sun>=1 2 1, 2002-2022 Oct lastSun 2 0
        argentina: 1967 Apr 2 0 0, 1967-1968 Oct Sun>=1 0 1, 1968-1969 Apr Sun>=1 0 0, 1974 Jan 23 0 1, \
            1974 May 1 0 0, 1988 Dec 1 0 1, 1989-1993 Mar Sun>=1 0 0, 1989-1992 Oct Sun>=15 0 1, 1999 Oct Sun>=1 0 1, \
            2000 Mar 3 0 0, 2007 Dec 30 0 1, 2008-2009 Mar Sun>=15 0 0, 2008 Oct Sun>=15 0 1
        chile: 1968 Nov 3 4u 1, 1969 Mar 30 3u 0, 1969 Nov 23 4u 1, 1970 Mar 29 3u 0, 1970-1972 Oct Sun>=9 4u 1, \
            1971 Mar 14 3u 0, 1972-1986 Mar Sun>=9 3u 0, 1973 Sep 30 4u 1, 1974-1987 Oct Sun>=9 4u 1, \
            1987 Apr 12 3u 0, 1988-1990 Mar Sun>=9 3u 0, 1988-1989 Oct Sun>=9 4u 1, 1990 Sep 16 4u 1, \
            1991-1996 Mar Sun>=9 3u 0, 1991-1997 Oct Sun>=9 4u 1, 1997 Mar 30 3u 0, 1998 Mar Sun>=9 3u 0, \
            1998 Sep 27 4u 1, 1999 Apr 4 3u 0, 1999-2010 Oct Sun>=9 4u 1, 2000-2007 Mar Sun>=9 3u 0, 2008 Mar 30 3u 0, \
            2009 Mar Sun>=9 3u 0, 2010 Apr Sun>=1 3u 0, 2011 May Sun>=2 3u 0, 2011 Aug Sun>=16 4u 1, \
            2012-2014 Apr Sun>=23 3u 0, 2012-2014 Sep Sun>=2 4u 1, 2016-2018 May Sun>=9 3u 0, \
            2016-2018 Aug Sun>=9 4u 1, 2019- Apr Sun>=2 3u 0, 2019-2021 Sep Sun>=2 4u 1, 2022 Sep Sun>=9 4u 1, \
            2023- Sep Sun>=2 4u 1
        colombia: 1992 May 3 0 1, 1993 Feb 6 24 0
        peru: 1986-1987 Jan 1 0 1, 1986-1987 Apr 1 0 0, 1990 Jan 1 0 1, 1990 Apr 1 0 0, 1994 Jan 1 0 1, 1994 Apr 1 0 0
        halifax: 1962-1973 Apr lastSun 2 1, 1962-1973 Oct lastSun 2 0
        britain: 1961-1968 Oct Sun>=23 2s 0, 1964-1967 Mar Sun>=19 2s 1, 1968 Feb 18 2s 1, 1972-1980 Mar Sun>=16 2s 1, \
            1972-1980 Oct Sun>=23 2s 0, 1981-1995 Mar lastSun 1u 1, 1981-1989 Oct Sun>=23 1u 0, \
            1990-1995 Oct Sun>=22 1u 0
        europe: 1977-1980 Apr Sun>=1 1u 1, 1977 Sep lastSun 1u 0, 1978 Oct 1 1u 0, 1979-1995 Sep lastSun 1u 0, \
            1981- Mar lastSun 1u 1, 1996- Oct lastSun 1u 0
        ireland: 1971 Oct 31 2u -1, 1972-1980 Mar Sun>=16 2u 0, 1972-1980 Oct Sun>=23 2u -1, 1981- Mar lastSun 1u 0, \
            1981-1989 Oct Sun>=23 1u -1, 1990-1995 Oct Sun>=22 1u -1, 1996- Oct lastSun 1u -1
        portugal: 1976 Sep lastSun 1 0, 1977 Mar lastSun 0s 1, 1977 Sep lastSun 0s 0, 1978-1980 Apr Sun>=1 1s 1, \
            1978 Oct 1 1s 0, 1979-1980 Sep lastSun 1s 0, 1981-1986 Mar lastSun 0s 1, 1981-1985 Sep lastSun 0s 0
        france: 1976 Mar 28 1 1, 1976 Sep 26 1 0
        spain: 1974-1975 Apr Sat>=12 23 1, 1974-1975 Oct Sun>=1 1 0, 1976 Mar 27 23 1, 1976-1977 Sep lastSun 1 0, \
            1977 Apr 2 23 1, 1978 Apr 2 2s 1, 1978 Oct 1 2s 0
        italy: 1966-1968 May Sun>=22 0s 1, 1967-1969 Sep Sun>=22 0s 0, 1969 Jun 1 0s 1, 1970 May 31 0s 1, \
            1970 Sep lastSun 0s 0, 1971-1972 May Sun>=22 0s 1, 1971 Sep lastSun 0s 0, 1972 Oct 1 0s 0, \
            1973 Jun 3 0s 1, 1973-1974 Sep lastSun 0s 0, 1974 May 26 0s 1, 1975 Jun 1 0s 1, \
            1975-1977 Sep lastSun 0s 0, 1976 May 30 0s 1, 1977-1979 May Sun>=22 0s 1, 1978 Oct 1 0s 0, \
            1979 Sep 30 0s 0
        finland: 1981-1982 Mar lastSun 2 1, 1981-1982 Sep lastSun 3 0
        poland: 1977-1980 Apr Sun>=1 1s 1, 1977 Sep lastSun 1s 0, 1978 Oct 1 1s 0, 1979-1995 Sep lastSun 1s 0, \
            1981- Mar lastSun 1s 1, 1996- Oct lastSun 1s 0
        austria: 1980 Apr 6 0 1, 1980 Sep 28 0 0
        hungary: 1980 Apr 6 0 1, 1980 Sep 28 1 0, 1981-1983 Mar lastSun 0 1, 1981-1983 Sep lastSun 1 0
        greece: 1975 Apr 12 0s 1, 1975 Nov 26 0s 0, 1976 Apr 11 2s 1, 1976 Oct 10 2s 0, 1977-1978 Apr Sun>=1 2s 1, \
            1977 Sep 26 2s 0, 1978 Sep 24 4 0, 1979 Apr 1 9 1, 1979 Sep 29 2 0, 1980 Apr 1 0 1, 1980 Sep 28 0 0
        romania: 1979 May 27 0 1, 1979 Sep lastSun 0 0, 1980 Apr 5 23 1, 1980 Sep lastSun 1 0, \
            1991-1993 Mar lastSun 0s 1, 1991-1993 Sep lastSun 0s 0
        centralEurope: 1977-1980 Apr Sun>=1 2s 1, 1977 Sep lastSun 2s 0, 1978 Oct 1 2s 0, 1979-1995 Sep lastSun 2s 0, \
            1981- Mar lastSun 2s 1, 1996- Oct lastSun 2s 0
        easternEurope: 1977-1980 Apr Sun>=1 0 1, 1977 Sep lastSun 0 0, 1978 Oct 1 0 0, 1979-1995 Sep lastSun 0 0, \
            1981- Mar lastSun 0 1, 1996- Oct lastSun 0 0
        turkey: 1973 Jun 3 1 1, 1973-1976 Oct Sun>=31 2 0, 1974 Mar 31 2 1, 1975 Mar 22 2 1, 1976 Mar 21 2 1, \
            1977-1978 Apr Sun>=1 2 1, 1977-1978 Oct Sun>=15 2 0, 1978 Jun 29 0 0, 1983 Jul 31 2 1, 1983 Oct 2 2 0, \
            1985 Apr 20 1s 1, 1985 Sep 28 1s 0, 1986-1993 Mar lastSun 1s 1, 1986-1995 Sep lastSun 1s 0, \
            1994 Mar 20 1s 1, 1995-2006 Mar lastSun 1s 1, 1996-2006 Oct lastSun 1s 0
        russia: 1981-1984 Apr 1 0 1, 1981-1983 Oct 1 0 0, 1984-1995 Sep lastSun 2s 0, 1985-2010 Mar lastSun 2s 1, \
            1996-2010 Oct lastSun 2s 0
        israel: 1974 Jul 6 24 1, 1974 Oct 12 24 0, 1975 Apr 19 24 1, 1975 Aug 30 24 0, 1980 Aug 2 24s 1, \
            1980 Sep 13 24s 0, 1984 May 5 24s 1, 1984 Aug 25 24s 0, 1985 Apr 13 24 1, 1985 Aug 31 24 0, \
            1986 May 17 24 1, 1986 Sep 6 24 0, 1987 Apr 14 24 1, 1987 Sep 12 24 0, 1988 Apr 9 24 1, 1988 Sep 3 24 0, \
            1989 Apr 29 24 1, 1989 Sep 2 24 0, 1990 Mar 24 24 1, 1990 Aug 25 24 0, 1991 Mar 23 24 1, 1991 Aug 31 24 0, \
            1992 Mar 28 24 1, 1992 Sep 5 24 0, 1993 Apr 2 0 1, 1993 Sep 5 0 0, 1994 Apr 1 0 1, 1994 Aug 28 0 0, \
            1995 Mar 31 0 1, 1995 Sep 3 0 0, 1996 Mar 14 24 1, 1996 Sep 15 24 0, 1997 Mar 20 24 1, 1997 Sep 13 24 0, \
            1998 Mar 20 0 1, 1998 Sep 6 0 0, 1999 Apr 2 2 1, 1999 Sep 3 2 0, 2000 Apr 14 2 1, 2000 Oct 6 1 0, \
            2001 Apr 9 1 1, 2001 Sep 24 1 0, 2002 Mar 29 1 1, 2002 Oct 7 1 0, 2003 Mar 28 1 1, 2003 Oct 3 1 0, \
            2004 Apr 7 1 1, 2004 Sep 22 1 0, 2005-2012 Mar Fri>=26 2 1, 2005 Oct 9 2 0, 2006 Oct 1 2 0, \
            2007 Sep 16 2 0, 2008 Oct 5 2 0, 2009 Sep 27 2 0, 2010 Sep 12 2 0, 2011 Oct 2 2 0, 2012 Sep 23 2 0, \
            2013- Mar Fri>=23 2 1, 2013- Oct lastSun 2 0
        egypt: 1959-1981 May 1 1 1, 1966-1994 Oct 1 3 0, 1982 Jul 25 1 1, 1983 Jul 12 1 1, 1984-1988 May 1 1 1, \
            1989 May 6 1 1, 1990-1994 May 1 1 1, 1995-2010 Apr lastFri 0s 1, 1995-2005 Sep lastThu 24 0, \
            2006 Sep 21 24 0, 2007 Sep Thu>=1 24 0, 2008 Aug lastThu 24 0, 2009 Aug 20 24 0, 2010 Aug 10 24 0, \
            2010 Sep 9 24 1, 2010 Sep lastThu 24 0, 2014 May 15 24 1, 2014 Jun 26 24 0, 2014 Jul 31 24 1, \
            2014 Sep lastThu 24 0, 2023- Apr lastFri 0 1, 2023- Oct lastThu 24 0
        pakistan: 2002 Apr Sun>=2 0 1, 2002 Oct Sun>=2 0 0, 2008 Jun 1 0 1, 2008-2009 Nov 1 0 0, 2009 Apr 15 0 1
        hongKong: 1965-1976 Apr Sun>=16 3:30 1, 1965-1976 Oct Sun>=16 3:30 0, 1973 Dec 30 3:30 1, 1979 May 13 3:30 1, \
            1979 Oct 21 3:30 0
        china: 1986 May 4 2 1, 1986-1991 Sep Sun>=11 2 0, 1987-1991 Apr Sun>=11 2 1
        taiwan: 1974-1975 Apr 1 0 1, 1974-1975 Oct 1 0 0, 1979 Jul 1 0 1, 1979 Oct 1 0 0
        korea: 1987-1988 May Sun>=8 2 1, 1987-1988 Oct Sun>=8 3 0
        philippines: 1977 Mar 27 24 1, 1977 Sep 21 24 0, 1990 May 21 0 1, 1990 Jul 28 24 0
        newSouthWales: 1971-1985 Oct lastSun 2s 1, 1972 Feb 27 2s 0, 1973-1981 Mar Sun>=1 2s 0, 1982 Apr Sun>=1 2s 0, \
            1983-1985 Mar Sun>=1 2s 0, 1986-1989 Mar Sun>=15 2s 0, 1986 Oct 19 2s 1, 1987-1999 Oct lastSun 2s 1, \
            1990-1995 Mar Sun>=1 2s 0, 1996-2005 Mar lastSun 2s 0, 2000 Aug lastSun 2s 1, 2001-2007 Oct lastSun 2s 1, \
            2006 Apr Sun>=1 2s 0, 2007 Mar lastSun 2s 0, 2008- Apr Sun>=1 2s 0, 2008- Oct Sun>=1 2s 1
        westernAustralia: 1974 Oct lastSun 2s 1, 1975 Mar Sun>=1 2s 0, 1983 Oct lastSun 2s 1, 1984 Mar Sun>=1 2s 0, \
            1991 Nov 17 2s 1, 1992 Mar Sun>=1 2s 0, 2006 Dec 3 2s 1, 2007-2009 Mar lastSun 2s 0, \
            2007-2008 Oct lastSun 2s 1
        queensland: 1971 Oct lastSun 2s 1, 1972 Feb lastSun 2s 0, 1989-1991 Oct lastSun 2s 1, \
            1990-1992 Mar Sun>=1 2s 0
        newZealand: 1974 Nov Sun>=1 2s 1, 1975 Feb lastSun 2s 0, 1975-1988 Oct lastSun 2s 1, \
            1976-1989 Mar Sun>=1 2s 0, 1989 Oct Sun>=8 2s 1, 1990-2006 Oct Sun>=1 2s 1, 1990-2007 Mar Sun>=15 2s 0, \
            2007- Sep lastSun 2s 1, 2008- Apr Sun>=1 2s 0
        """
}
