export type Site = {
  /** Such as `https://portal.example`; undefined if not configured. */
  readonly publicOrigin: string | undefined
  readonly port: number
}

/**
 * The origin of links in mails. Comes from the configuration and never from the request: an attacker could send any
 * Host header and receive the token. Without a configured origin the portal runs on a developer's machine.
 */
export const linkOriginOf = ({ publicOrigin, port }: Site): string => publicOrigin ?? `http://localhost:${port}`
