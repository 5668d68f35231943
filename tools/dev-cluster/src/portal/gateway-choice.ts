/** One of several gateways behind the one address. */
export type Gateway = { readonly name: string; readonly port: number }

const isAboutSocket = (url: string): boolean => url.startsWith('/socket.io/')

/** How a gateway marks the connections it opens: socket-server.ts of the gateway. */
const connectionIdOf = (url: string): string | undefined =>
  isAboutSocket(url) ? (new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('sid') ?? undefined) : undefined

/**
 * Who gets a request, in the order in which they are to be tried. A socket's requests go to the gateway that opened it, which
 * its id names: another one would not know it. Everything else goes round; sockets by themselves, or pages that open one
 * along with an odd number of calls would all open it at the same gateway.
 */
export const createGatewayChoice = (gateways: readonly Gateway[]) => {
  const turns = { sockets: 0, calls: 0 }
  return (url: string): readonly Gateway[] => {
    const id = connectionIdOf(url)
    const owner = id === undefined ? undefined : gateways.find(({ name }) => id.startsWith(`${name}.`))
    if (owner) return [owner]
    const kind = isAboutSocket(url) ? 'sockets' : 'calls'
    turns[kind] = (turns[kind] + 1) % gateways.length
    return [...gateways.slice(turns[kind]), ...gateways.slice(0, turns[kind])]
  }
}
