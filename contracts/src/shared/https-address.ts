/** Parses like URL.parse, which older browsers do not have. */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Browsers read a backslash as a slash and skip line breaks, so `https:/\\example.com` would be another address. */
export const isHttpsAddress = (text: string): boolean =>
  /^https:\/\/[^\s\\/?#][^\s\\]*$/i.test(text) && parseUrl(text) !== undefined

/** `//evil.example` leads to another host, and so does `/\\evil.example`. */
export const isPortalPath = (text: string): boolean => /^\/(?!\/)[^\s\\]*$/.test(text)

/** Where a link or a picture may lead. Other schemes could run script in the page, and mixed content blocks http. */
export const isPortalOrHttpsUrl = (text: string): boolean => isHttpsAddress(text) || isPortalPath(text)

/** `https://portal.example@evil.example` leads to evil.example, and a password in an address is shown to all who load it. */
export const hasCredentials = (text: string): boolean => {
  const url = parseUrl(text)
  return url !== undefined && (url.username !== '' || url.password !== '')
}
