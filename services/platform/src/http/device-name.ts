type Names = readonly (readonly [name: string, pattern: RegExp])[]

/** The first match counts: most browsers name others, too. */
const browsers: Names = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|OPX)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
]

/** An iPad may call itself a Mac. */
const systems: Names = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

const firstMatch = (names: Names, text: string): string | undefined =>
  names.find(([, pattern]) => pattern.test(text))?.[0]

/** Names a device by browser and system, 'Chrome on Android'. Nothing else of the header is kept: it identifies people. */
export const deviceNameOf = (userAgent: string | undefined): string => {
  const text = userAgent?.slice(0, 500) ?? ''
  const browser = firstMatch(browsers, text) ?? 'A browser'
  const system = firstMatch(systems, text)
  return system === undefined ? browser : `${browser} on ${system}`
}
