import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What may happen between a client and a server. */
export type FaultProxy = {
  readonly port: number
  /** Breaks the connections there are. */
  drop(): void
  /** Breaks them, and refuses new ones until `serve`. */
  refuse(): void
  /** Passes nothing on until `serve`: calls are taken and not answered. */
  beSilent(): void
  serve(): void
  /** The next so many appends reach the server, and their answers do not come back. */
  loseAnswers(appends: number): void
  stop(): Promise<void>
}

type Pair = { readonly client: Socket; readonly upstream: Socket }

/** An append's request names the content type of its events; nothing else that the portal sends does. */
const markOfAppend = 'application/json'
/** The server is given so long to record what it was sent. */
const lostAfterMs = 100

/** A proxy in front of EventStoreDB or its stand-in, without TLS. */
export const startFaultProxy = async (target: () => { host: string; port: number }): Promise<FaultProxy> => {
  const pairs = new Set<Pair>()
  let mode: 'serving' | 'refusing' | 'silent' = 'serving'
  let answersToLose = 0

  const end = (pair: Pair): void => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.upstream.destroy()
  }
  const passOn = (pair: Pair): void => {
    const { client, upstream } = pair
    let tail = ''
    let isLost = false
    client.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1')
      tail = text.slice(1 - markOfAppend.length)
      if (answersToLose > 0 && !isLost && text.includes(markOfAppend)) {
        answersToLose -= 1
        isLost = true
        setTimeout(() => end(pair), lostAfterMs)
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
    passOn(pair)
    if (mode === 'silent') client.pause()
  })
  server.listen(0, '127.0.0.1')
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
      // Like a server that is not there, so that clients know that nothing reached it.
      server.close()
      drop()
    },
    beSilent: () => {
      mode = 'silent'
      for (const { client, upstream } of pairs) {
        client.pause()
        upstream.pause()
      }
    },
    serve: () => {
      if (mode === 'refusing') server.listen(port, '127.0.0.1')
      mode = 'serving'
      for (const { client, upstream } of pairs) {
        client.resume()
        upstream.resume()
      }
    },
    loseAnswers: (appends) => {
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
