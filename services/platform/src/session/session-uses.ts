import type { Session } from './session.ts'

/** 'used': the last recorded use is old. 'idle': it is so old that the session was refused. */
export type SessionUse = { readonly session: Session; readonly token: string; readonly kind: 'used' | 'idle' }

/** Takes what auth has to record about sessions. A use that is lost is reported again. */
export type SessionUses = {
  report(use: SessionUse): void
  /** For the process with auth: `record` takes the place of calls to auth. */
  handle(record: (use: SessionUse) => void): void
}

/** `tellAuth` is undefined in a process that does not know auth's address. */
export const createSessionUses = (tellAuth: ((use: SessionUse) => void) | undefined): SessionUses => {
  let record = tellAuth
  return {
    report: (use) => record?.(use),
    handle: (own) => {
      record = own
    },
  }
}
