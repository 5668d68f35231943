/** Adds an entry to a list, or removes it. */
export const toggleEntry = <Entry>(entries: readonly Entry[], entry: Entry): readonly Entry[] =>
  entries.includes(entry) ? entries.filter((other) => other !== entry) : [...entries, entry]
