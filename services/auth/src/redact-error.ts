/** What a provider says may quote whom a message was sent to, and what it said. */
export const redactError = (error: unknown, confidential: readonly string[]): string => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return confidential
    .reduce((said, part) => said.replaceAll(part, '[withheld]'), text)
    .replaceAll(/\d(?:[\s-]?\d){5,}/g, '[number]')
    .slice(0, 500)
}
