/** One of several gateways behind the one address. */
export type Gateway = { readonly name: string; readonly port: number }

/** How a gateway marks the connections it opens: socket-server.ts of the gateway. */
const connectionIdOf = (url: string): string | undefined =>
  url.startsWith('/socket.io/')
    ? (new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('sid') ?? undefined)
    : undefined

/**
 * Who gets a request, in the order in which they are to be tried. A socket's requests go to the gateway that opened it, which
 * its id names: another one would not know it. Everything else goes round.
 */
export const createGatewayChoice = (gateways: readonly Gateway[]) => {
  let turn = 0
  return (url: string): readonly Gateway[] => {
    const id = connectionIdOf(url)
    const owner = id === undefined ? undefined : gateways.find(({ name }) => id.startsWith(`${name}.`))
    if (owner) return [owner]
    turn = (turn + 1) % gateways.length
    return [...gateways.slice(turn), ...gateways.slice(0, turn)]
  }
}
