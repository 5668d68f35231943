import type { ProxyOptions } from 'vite'

/** The addresses of the portal's calls begin with these. Some begin pages, too; and some pages begin almost like them. */
const calls = '^/(auth|user|admin|programs|allprograms|notifications|api)(/|\\?|$)'
/** What the portal answers besides, to browsers as well. */
const otherAnswers = '^/(health|metrics|docs|dev|\\.well-known)(/|\\?|$)'

/** A navigation gets the page, anything else the call: the same rule as the gateway's. */
const pageWhereOneNavigates: ProxyOptions['bypass'] = ({ method, headers }) =>
  method === 'GET' && headers.accept?.includes('text/html') ? '/index.html' : undefined

/** While developing, Vite serves the client and hands the rest to the portal. */
export const toPortal = (portal: string): Record<string, ProxyOptions> => ({
  '/socket.io': { target: portal, ws: true },
  [calls]: { target: portal, bypass: pageWhereOneNavigates },
  [otherAnswers]: { target: portal },
})
