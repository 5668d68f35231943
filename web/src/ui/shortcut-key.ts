type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/** What a keyboard of another script types beside its letters: '.' where others have '/', as in Cyrillic. */
const isOtherScript = (key: string): boolean => /^[^ -~]$|^[.,]$/u.test(key)

/**
 * The key of a shortcut in lower case, whatever the keyboard types: with Caps Lock, and by its place where the letters are not Latin.
 * Empty for a letter with Shift.
 */
export const shortcutKeyOf = ({ key, code, shiftKey }: Press): string => {
  const isLatin = /^[a-z]$/i.test(key)
  const letter = isLatin ? key : isOtherScript(key) && /^Key([A-Z])$/.exec(code)?.[1]
  if (letter) return shiftKey ? '' : letter.toLowerCase()
  if (code === 'Slash' && isOtherScript(key)) return shiftKey ? '?' : '/'
  return key
}
