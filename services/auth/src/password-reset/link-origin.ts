export type Site = {
  /** `https://portal.example`, where it is configured. */
  readonly publicOrigin: string | undefined
  readonly port: number
}

/**
 * Where links in mails lead. From the configuration alone, never from the request: whoever asks for somebody's link could name
 * any Host, and would be sent the token by whoever follows it. A portal that is not told its address is on a developer's machine.
 */
export const linkOriginOf = ({ publicOrigin, port }: Site): string => publicOrigin ?? `http://localhost:${port}`

/** The 'Set New Password' page. */
export const resetLinkOf = (origin: string, token: string): string => `${origin}/reset-password?token=${token}`
