/** Where time, ids and randomness come from; handed to whoever builds commands, so that tests can choose them. */
export type Sources = {
  now(): Date
  /** A new UUID, version 7. */
  newId(): string
  /** A code of six decimal digits from a cryptographic source. */
  newCode(): string
  /** 32 bytes from a cryptographic source, in base64url. */
  newSecret(): string
}
