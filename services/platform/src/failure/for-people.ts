/**
 * Carried by an error whose message is one line for the person at the keyboard, who can mend it. A property and not a class to
 * be asked for, so that whoever tells them apart need not load the parts that they come from.
 */
type ForPeople = { readonly isForPeople: true }

export const isForPeople = (error: unknown): error is Error & ForPeople =>
  error instanceof Error && 'isForPeople' in error && error.isForPeople === true

/** How a command ends that failed: with its line where a person can mend it, else with the stack, which a report of it needs. */
export const lineOrStack = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return isForPeople(error) ? error.message : (error.stack ?? error.message)
}
