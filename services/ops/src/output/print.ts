import { beforeReportOfMake } from '@portal/platform/runtime/before-report-of-make'

export type Environment = Readonly<Record<string, string | undefined>>

/** Whether a setting is 1, true or yes, as in `make status JSON=1`. */
export const isOn = (environment: Environment, name: string): boolean => /^(1|true|yes)$/i.test(environment[name] ?? '')

export const isJsonOutput = (environment: Environment): boolean =>
  isOn(environment, 'JSON') || process.argv.includes('--json')

/** Prints JSON if it is requested, otherwise text. */
export const print = (environment: Environment, data: unknown, text: () => string): void => {
  process.stdout.write(`${isJsonOutput(environment) ? JSON.stringify(data, undefined, 2) : text().trimEnd()}\n`)
}

/** Escapes control characters in untrusted text, so that it cannot control the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(
    /\p{Cc}|\p{Cf}/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )

export const shorten = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1)}…`

/** Exits after all output is written. Clients of an unavailable engine would keep the process alive. */
export const endNow = (): void => {
  if (process.exitCode !== undefined && process.exitCode !== 0) process.stderr.write(beforeReportOfMake(process))
  process.stdout.write('', () => process.exit())
}
