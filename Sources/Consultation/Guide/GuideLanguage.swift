/// The language of a question, by its most frequent words. The guide has English texts only.
enum GuideLanguage {
    private struct Language {
        /// What is said to a speaker of it.
        var notice: String
        /// Frequent words. Those that no other language here has count twice.
        var words: Set<String>
        var ownWords: Set<String>
    }

    private static let notice = "I have texts in English only; please write in English."

    private static let languages = [
        Language(
            notice: "Meine Texte gibt es nur auf Englisch; bitte schreiben Sie auf Englisch.",
            words: ["die", "was", "mit", "wie", "in", "an", "es", "von", "auf", "zu", "war"],
            ownWords: [
                "ich", "und", "der", "das", "ein", "eine", "einen", "mir", "mich", "bitte", "mein", "meine", "nicht",
                "für",
                "ist", "kaufe", "kaufen", "verkaufe", "verkaufen", "möchte", "wenn", "kalorien", "vegetarisch",
                "welche",
                "warum", "zeige", "erstelle", "preis", "kurs", "bei", "ernährungsplan",
            ]),
        Language(
            notice: "Mes textes n’existent qu’en anglais ; écrivez en anglais, s’il vous plaît.",
            words: ["la", "les", "de", "un", "est", "a", "me", "plan", "prix"],
            ownWords: [
                "je", "le", "des", "une", "pour", "avec", "mon", "moi", "veux", "voudrais", "achète", "acheter",
                "vendre",
                "vends", "quel", "quelle", "pourquoi", "repas", "végétarien", "végétarienne", "sans", "et", "du",
                "faire",
            ]),
        Language(
            notice: "Mis textos existen solo en inglés; por favor, escriba en inglés.",
            words: ["la", "de", "un", "es", "me", "no", "plan", "con", "para"],
            ownWords: [
                "el", "los", "las", "una", "mi", "por", "quiero", "comprar", "vender", "cuál", "qué", "precio",
                "comida", "vegetariano", "vegetariana", "sin", "y", "cuando", "rodilla", "del",
            ]),
        Language(
            notice: "I miei testi sono solo in inglese; per favore scriva in inglese.",
            words: ["la", "di", "un", "è", "mi", "con", "non", "a"],
            ownWords: [
                "il", "gli", "una", "voglio", "vorrei", "comprare", "vendere", "quale", "perché", "prezzo",
                "pasto", "vegetariano", "vegetariana", "senza", "che", "quando", "ginocchio",
            ]),
        Language(
            notice: "Os meus textos existem só em inglês; por favor, escreva em inglês.",
            words: ["a", "de", "um", "é", "me", "com", "para", "no"],
            ownWords: [
                "o", "os", "uma", "meu", "minha", "por", "quero", "comprar", "vender", "qual", "preço",
                "refeição", "vegetariano", "vegetariana", "sem", "quando", "joelho",
            ]),
    ]

    private static let english: Set<String> = [
        "a", "about", "above", "alert", "am", "an", "and", "are", "at", "below", "buy", "can", "chart", "compare",
        "create",
        "do", "for", "give", "help", "how", "i", "in", "is", "it", "loss", "make", "me", "meal", "my", "no", "of", "on",
        "order", "plan", "please", "price", "sell", "show", "stop", "tell", "that", "the", "this", "to", "want", "was",
        "what", "when", "which", "why", "with", "workout", "write", "you",
    ]

    /// - Parameters:
    ///   - words: in lower case.
    ///   - text: the question, of which the first 2,000 characters count.
    /// - Returns: that there are no texts in the question's language; `nil` where it is English, or not known.
    static func notice(_ words: [String], _ text: String) -> String? {
        let letters = text.prefix(2_000).unicodeScalars.filter(\.properties.isAlphabetic)
        let others = letters.count { $0.value > 0x24F && !(0x1E00...0x1EFF).contains($0.value) }
        if others > 0, others * 2 >= letters.count { return notice }
        let englishScore = words.count { english.contains($0) }
        let scored = languages.map { language in
            (
                language,
                words.reduce(0) { $0 + (language.ownWords.contains($1) ? 2 : language.words.contains($1) ? 1 : 0) }
            )
        }
        guard let best = scored.max(by: { $0.1 < $1.1 }), best.1 >= 2, best.1 > englishScore else { return nil }
        return "\(best.0.notice) (\(notice))"
    }
}
