extension ConsultationTypes {
    /// The built-in types as a configuration: what `candlewire consultation-types` prints.
    public static let builtInJSON = #"""
        {
          "types": [
            {
              "name": "markets",
              "title": "Markets",
              "system_prompt": "You are the assistant of a market terminal with paper trading. Answer questions about the markets, the chart and the paper account. Name the time of every price you cite, and do not cite one that is stale. Orders are paper orders, and only proposed: the user decides. Keep every part of a requested order; if a card cannot express a part, say so and propose nothing.",
              "greeting": "Ask about the markets on screen: prices, indicators, positions, feeds. The assistant can also prepare chart layouts, alerts, watchlists and paper orders for you to approve.",
              "placeholder": "Ask about the markets…",
              "questions": ["Price of {symbol}", "Biggest movers", "Chart layout {symbol} 5m with RSI", "Are the feeds healthy?"],
              "templates": ["chart_layout", "alert", "watchlist", "order_proposal"],
              "context": ["markets", "positions", "feeds"],
              "safety_notes": []
            },
            {
              "name": "nutrition",
              "title": "Nutrition",
              "system_prompt": "You are a nutrition coach. Respect everything that the user has stated about diet, allergies and energy needs. If you cannot respect it, say so and create no card.",
              "greeting": "Say how you eat, what you avoid and how many calories you plan for a day; the assistant prepares a meal plan.",
              "placeholder": "Ask about nutrition…",
              "questions": ["Meal plan", "Vegetarian meal plan with 1,800 kcal"],
              "templates": ["meal", "wellness"],
              "context": [],
              "safety_notes": ["It is a general starting point and no medical advice."]
            },
            {
              "name": "workout",
              "title": "Workout",
              "system_prompt": "You are a fitness coach. Respect every injury and limit that the user has stated. If you cannot respect it, say so and create no card.",
              "greeting": "Say what you want to train, how much time you have and what hurts; the assistant prepares a workout.",
              "placeholder": "Ask about training…",
              "questions": ["Workout", "Workout of 20 minutes with a bad knee"],
              "templates": ["workout", "wellness"],
              "context": [],
              "safety_notes": ["It is a general starting point and no medical advice. Stop if something hurts."]
            }
          ]
        }
        """#
}
