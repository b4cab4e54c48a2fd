/// The language of a question, by its frequent words. The guide has English texts only.
enum GuideLanguage {
    private struct Language {
        /// What its speakers read; `nil`: the English sentence.
        var notice: String?
        /// Frequent words that are no English ones.
        var words: Set<String>

        init(_ notice: String?, _ words: String) {
            self.notice = notice
            self.words = Set(words.split(separator: " ").map(String.init))
        }
    }

    private static let notice = "I have texts in English only; please write in English."

    private static let languages = [
        Language(
            "Meine Texte gibt es nur auf Englisch; bitte schreiben Sie auf Englisch.",
            """
            auf bei bitte bin eine einen erstelle für ich ist kalorien kaufe kaufen kein keine kurs mein meine mich mir mit \
            möchte nicht ohne preis setze und vegetarisch verkaufe verkaufen von warum welche wenn wie zeige zum
            """),
        Language(
            "Mes textes n’existent qu’en anglais ; écrivez en anglais, s’il vous plaît.",
            """
            achète acheter avec bonjour combien c'est est et faire je moi pourquoi prix quel quelle repas sans suis \
            une végétarien végétarienne vendre vends veux voudrais
            """),
        Language(
            "Mis textos existen solo en inglés; por favor, escriba en inglés.",
            """
            comida comprar compra cuando cuál cuánto del hola para precio por quiero qué rodilla soy una vegetariana \
            vegetariano vende vender y
            """),
        Language(
            "I miei testi sono solo in inglese; per favore scriva in inglese.",
            """
            che comprare di ginocchio gli pasto perché prezzo quale quando sono vegetariana vegetariano vendere voglio \
            vorrei senza è
            """),
        Language(
            "Os meus textos existem só em inglês; por favor, escreva em inglês.",
            """
            com comprar joelho meu minha não por preço qual quando quero refeição sem uma vegetariana vegetariano vender é
            """),
        Language(
            "Ik heb alleen teksten in het Engels; schrijf alstublieft in het Engels.",
            """
            alsjeblieft een geef graag het hoe hoeveel ik jij koop kopen maak mijn niet ook prijs verkoop verkopen voor wat \
            welke wil zonder
            """),
        Language(
            "Mam teksty tylko po angielsku; proszę pisać po angielsku.",
            """
            bez cena chcę czy dla ile jaka jaki jest jestem kup kupić mi mnie nie po pokaż proszę przy się sprzedaj ustaw \
            ze zrób że
            """),
        Language(
            "Jag har bara texter på engelska; skriv gärna på engelska.",
            """
            att det en ett för gör hur inte jag köp köpa med mig måltid och priset på sälj snälla som utan vad vill \
            är
            """),
        Language(
            "Metinlerim yalnızca İngilizce; lütfen İngilizce yazın.",
            "bana bir değil fiyatı için ile istiyorum kaç lütfen ne nedir olan olarak satın ve vejetaryenim yap"),
        // Norwegian and Danish, Finnish, Czech, Hungarian, Romanian, Indonesian, Vietnamese, Croatian.
        Language(nil, "er hvad hva hvor ikke jeg kjøp kost køb og salg selg sælg uten uden"),
        Language(nil, "en ei ilman ja kuinka mikä minulle minä olen osta ostaa hinta myy"),
        Language(nil, "bez chci cenu jaká je jsem koupit kup kupte mi ne prodej prosím se"),
        Language(nil, "az egy és hogy kérek mennyi nem vagyok vegyél venni ára"),
        Language(nil, "cumpără este fără pentru preț preţ sunt un vinde vreau și"),
        Language(nil, "adalah beli berapa dengan harga jual saya tolong untuk yang"),
        Language(nil, "bán bao cho của giá là mua muốn nhiêu tôi"),
        Language(nil, "cijena hoću kupi koja kolika molim prodaj sam želim"),
    ]

    /// Words of articles and prepositions that also stand in names of companies: they count beside others only.
    private static let particles = words("da das de der des di die do du el en il la las le les los o os um un van von")

    static let english = words(
        """
        a about above afternoon again all alert allergic also am an and any anything are as ask at avoid bad be because \
        been below best better between bit breakfast but buy by can can't cannot cheap compare could create daily day days \
        did dinner do does doesn't doing don't eat eating every feel few first for free from get give go going good got \
        great had has hate have healthy help here high how hurts i i'd i'll i'm if in into is it it's its just keep know \
        last less let like long look lose low lunch make many market markets may me minutes month more most much must my \
        need never new next no not now of off okay on once one only open or order our out over paper place please price \
        put quick ready really same see sell set should show simple since so some something sore still stock such tell than \
        thank thanks that that's the their them then there these they thing this those time to today tomorrow too two under \
        until up us use very want was watch way we week well were what what's when where which while who why will with \
        without won't work would write year yes you your
        """)

    /// Words of several languages; they say nothing about the one of a sentence.
    private static let shared = words(
        """
        alarm bitcoin bollinger chart crypto diet ema fitness indicator indicators kcal kg layout limit list live long loss \
        macd meal menu minute no ok order plan portfolio position profit protein rsi short sma sport stop take target \
        template test training trend usd vegan vegetarian watchlist wellness workout
        """)

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// - Parameter question: of which the first 2,000 characters count.
    /// - Returns: that there are no texts in the question's language; `nil` where it is English, or too short to know. A
    ///   name alone, a word with a capital inside a sentence, says nothing.
    static func notice(_ question: GuideQuestion) -> String? {
        let letters = question.text.unicodeScalars.filter(\.properties.isAlphabetic)
        let others = letters.count { $0.value > 0x24F && !(0x1E00...0x1EFF).contains($0.value) }
        if others > 0, others * 2 >= letters.count { return notice }
        var (known, foreign, weak, unknown) = (0, 0, 0, 0)
        var scores = Array(repeating: 0, count: languages.count)
        for (index, piece) in question.pieces.enumerated() {
            guard let word = piece.word, word.allSatisfy({ $0.isLetter || $0 == "'" || $0 == "-" }) else { continue }
            let isName = index > 0 && piece.isCapitalized
            for (language, entry) in languages.enumerated() where entry.words.contains(word) { scores[language] += 1 }
            if english.contains(word) {
                known += 1
            } else if isName || shared.contains(word) {
                continue
            } else if particles.contains(word) {
                weak += 1
            } else if languages.contains(where: { $0.words.contains(word) }) {
                foreign += 1
            } else if !GuideTopic.vocabulary.contains(word), StatedFacts.foods[word] == nil,
                WorkoutPlan.words[word] == nil
            {
                unknown += 1
            }
        }
        let isForeign =
            foreign > 0
            ? question.pieces.count > 1 && 2 * foreign + weak > 2 * known
            : known == 0 && weak + unknown >= 4
        guard isForeign else { return nil }
        let best = languages.indices.max { scores[$0] < scores[$1] } ?? 0
        guard scores[best] > 0, let own = languages[best].notice else { return notice }
        return "\(own) (\(notice))"
    }
}
