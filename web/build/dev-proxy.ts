import type { ProxyOptions } from 'vite'

/** Prefixes of the API routes. Some pages have the same prefix, others a similar one. */
const apiRoutes = '^/(auth|user|admin|programs|allprograms|pictures|notifications|api)(/|\\?|$)'
/** Routes that the portal also serves to browsers. */
const otherRoutes = '^/(health|metrics|docs|dev|\\.well-known)(/|\\?|$)'

/** A navigation gets the page and every other request the API, as in the gateway. */
const pageForNavigations: ProxyOptions['bypass'] = ({ method, headers }) =>
  method === 'GET' && headers.accept?.includes('text/html') ? '/index.html' : undefined

/** In development, Vite serves the client and proxies everything else to the portal. */
export const devProxy = (portal: string): Record<string, ProxyOptions> => ({
  '/socket.io': { target: portal, ws: true },
  [apiRoutes]: { target: portal, bypass: pageForNavigations },
  [otherRoutes]: { target: portal },
})
