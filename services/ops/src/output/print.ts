export type Environment = Readonly<Record<string, string | undefined>>

/** A setting that is on when it is 1, true or yes, as in `make status JSON=1`. */
export const isOn = (environment: Environment, name: string): boolean => /^(1|true|yes)$/i.test(environment[name] ?? '')

export const isForPrograms = (environment: Environment): boolean =>
  isOn(environment, 'JSON') || process.argv.includes('--json')

/** Data for programs where it is asked for, else text for people. */
export const print = (environment: Environment, data: unknown, text: () => string): void => {
  process.stdout.write(`${isForPrograms(environment) ? JSON.stringify(data, undefined, 2) : text().trimEnd()}\n`)
}

/** Text from elsewhere for a terminal: no control characters, which could make it do things. */
export const printable = (text: string): string =>
  text.replaceAll(
    /\p{Cc}|\p{Cf}/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )

export const shorten = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1)}…`

/** Ends the process once all is printed, whatever it still waits for: an engine that is down is waited for without an end. */
export const endNow = (): void => {
  process.stdout.write('', () => process.exit())
}
