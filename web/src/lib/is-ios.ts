/** An iPad calls itself a Mac, but has a touch screen. */
export const isIos = (): boolean => {
  const { userAgent, maxTouchPoints } = window.navigator
  return /iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)
}
