type Process = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stderr: { readonly isTTY?: boolean }
}

/**
 * An empty line after the last words of a failed command. make prints the exit code below them, `make: *** [seed] Error 1`, which
 * no recipe can suppress. Empty without make, or if a program reads the output.
 */
export const beforeReportOfMake = ({ env, stderr }: Process): string =>
  env['MAKELEVEL'] !== undefined && stderr.isTTY === true ? '\n' : ''
