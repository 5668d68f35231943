const scheme = 'sqlite:'

/** The file or folder that `sqlite:PATH` names; undefined for an address of another kind. */
export const sqlitePathOf = (url: string): string | undefined =>
  url.startsWith(scheme) ? url.slice(scheme.length) : undefined
