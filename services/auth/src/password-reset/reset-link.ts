/** The address is for the password manager of the page. Browsers send no server what follows the `#`. */
export const resetLinkOf = (origin: string, token: string, email: string): string =>
  `${origin}/reset-password?token=${token}#email=${encodeURIComponent(email)}`

/** The page then speaks of a new account. */
export const invitationLinkOf = (origin: string, token: string, email: string): string =>
  `${resetLinkOf(origin, token, email)}&for=invitation`
