/** What the engine says about a bar that is placed by its timestamp. */
export const PLACED = ["applied", "merged", "rejected"];
