/** The rules of `newPassword`, one by one. */
export const passwordRules = [
  { text: '8 characters', isMet: (password: string) => password.length >= 8 },
  { text: 'An uppercase letter', isMet: (password: string) => /[A-Z]/.test(password) },
  { text: 'A lowercase letter', isMet: (password: string) => /[a-z]/.test(password) },
  { text: 'A digit', isMet: (password: string) => /\d/.test(password) },
  { text: 'A special character', isMet: (password: string) => /[^A-Za-z0-9\s]/.test(password) },
] as const

/** The texts of the rules that the password breaks. */
export const brokenRules = (password: string): readonly string[] =>
  passwordRules.filter(({ isMet }) => !isMet(password)).map(({ text }) => text)
