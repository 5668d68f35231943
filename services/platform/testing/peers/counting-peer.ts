import { pino } from 'pino'
import { openPeers } from '../../src/peers/redis-adapter.ts'

/** A process that answers 'how-many' with 1: `counting-peer.ts REDIS_URL`. */
const [, , url = ''] = process.argv
const peers = await openPeers({ url, logger: pino({ level: 'silent' }) })
peers.onRequest('how-many', async () => 1)
process.stdout.write('joined\n')
