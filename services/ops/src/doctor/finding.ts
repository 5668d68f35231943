/** 'info' is for what only some need, such as the programs that tests start. */
export type Finding = {
  readonly check: string
  readonly result: 'ok' | 'warn' | 'fail' | 'info'
  readonly says: string
  /** What to do about it. */
  readonly todo?: string
}

export type Findings = readonly Finding[]

export const ok = (check: string, says: string): Finding => ({ check, result: 'ok', says })
export const info = (check: string, says: string): Finding => ({ check, result: 'info', says })
export const warn = (check: string, says: string, todo: string): Finding => ({ check, result: 'warn', says, todo })
export const fail = (check: string, says: string, todo: string): Finding => ({ check, result: 'fail', says, todo })

/** A check that could not be made is a finding, too. */
export const inWords = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
