/**
 * Whether somebody is at this page, for each call. The server ends sessions that nobody uses; an open page also makes calls by itself, which
 * must not keep its session alive. Until app/providers/keep-session-used.ts is loaded, opening the page counts.
 */
export const attendance = {
  isAttended: (): boolean => true,
  /** A call that counts as a use of the session is made. */
  sessionIsUsed: (): void => {},
}
