/** 'info' is for optional things, such as the programs that tests need. */
export type Finding = {
  readonly check: string
  readonly result: 'ok' | 'warn' | 'fail' | 'info'
  readonly says: string
  /** The remedy. */
  readonly todo?: string
}

export type Findings = readonly Finding[]

export const ok = (check: string, says: string): Finding => ({ check, result: 'ok', says })
export const info = (check: string, says: string): Finding => ({ check, result: 'info', says })
export const warn = (check: string, says: string, todo: string): Finding => ({ check, result: 'warn', says, todo })
export const fail = (check: string, says: string, todo: string): Finding => ({ check, result: 'fail', says, todo })

/** The first line of an error message. */
export const inWords = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
