/** Describes a provider error without the recipient and the content, which it may quote. */
export const redactError = (error: unknown, confidential: readonly string[]): string => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return confidential
    .reduce((redacted, part) => redacted.replaceAll(part, '[withheld]'), text)
    .replaceAll(/\d(?:[\s-]?\d){5,}/g, '[number]')
    .slice(0, 500)
}
