/** This machine cannot produce the fault. */
export class NotRunHereError extends Error {
  override readonly name = 'NotRunHereError'
}
