import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy that injects faults between a client and a server. */
export type FaultProxy = {
  readonly port: number
  /** Closes all connections. */
  drop(): void
  /** Closes all connections, and refuses new ones until `serve`. */
  refuse(): void
  /** Forwards nothing until `serve`, so calls get no answer. */
  hang(): void
  /** Forwards nothing for one connection in either direction, until `serve`. Counted from the oldest; false if there is none. */
  hangOne(index: number): boolean
  serve(): void
  /** Forwards the next appends to the server, and drops their answers. */
  dropResponses(appends: number): void
  stop(): Promise<void>
}

type Pair = { readonly client: Socket; readonly upstream: Socket }

/** Detects appends: only their requests contain the content type of events. */
const appendContentType = 'application/json'
/** How long the server has to record an append before its connection is closed. */
const dropAfterMs = 100

/** A proxy in front of an engine without TLS; it knows the appends of EventStoreDB and its stand-in. A free port by default. */
export const startFaultProxy = async (
  target: () => { host: string; port: number },
  ownPort = 0,
): Promise<FaultProxy> => {
  const pairs = new Set<Pair>()
  let mode: 'serving' | 'refusing' | 'silent' = 'serving'
  let answersToLose = 0

  const end = (pair: Pair): void => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.upstream.destroy()
  }
  const forward = (pair: Pair): void => {
    const { client, upstream } = pair
    let tail = ''
    let isLost = false
    client.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1')
      tail = text.slice(1 - appendContentType.length)
      if (answersToLose > 0 && !isLost && text.includes(appendContentType)) {
        answersToLose -= 1
        isLost = true
        setTimeout(() => end(pair), dropAfterMs)
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      if (!isLost) client.write(chunk)
    })
    for (const socket of [client, upstream]) {
      socket.on('error', () => end(pair))
      socket.on('close', () => end(pair))
    }
  }

  const server = createServer((client) => {
    const pair = { client, upstream: connect(target()) }
    pairs.add(pair)
    forward(pair)
    if (mode === 'silent') client.pause()
  })
  server.listen(ownPort, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const { port } = address

  const drop = (): void => {
    for (const pair of pairs) end(pair)
  }
  return {
    port,
    drop,
    refuse: () => {
      mode = 'refusing'
      // Like a server that is down, so that clients know that it received nothing.
      server.close()
      drop()
    },
    hang: () => {
      mode = 'silent'
      for (const { client, upstream } of pairs) {
        client.pause()
        upstream.pause()
      }
    },
    hangOne: (index) => {
      const pair = [...pairs][index]
      pair?.client.pause()
      pair?.upstream.pause()
      return pair !== undefined
    },
    serve: () => {
      if (mode === 'refusing') server.listen(port, '127.0.0.1')
      mode = 'serving'
      for (const { client, upstream } of pairs) {
        client.resume()
        upstream.resume()
      }
    },
    dropResponses: (appends) => {
      answersToLose = appends
    },
    stop: async () => {
      drop()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}
