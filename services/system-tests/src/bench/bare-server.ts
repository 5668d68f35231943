import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { Server } from 'socket.io'

/**
 * The baseline in its own process: Fastify, one SQLite commit with synchronous=FULL and one Socket.IO emit per POST,
 * and a GET that returns stored bytes. No session, validation or projection. Prints its address.
 */
const [databasePath = ':memory:'] = process.argv.slice(2)
const database = new DatabaseSync(databasePath)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS sent (id INTEGER PRIMARY KEY, user_id TEXT NOT NULL, body TEXT NOT NULL)`)
const insert = database.prepare('INSERT INTO sent (user_id, body) VALUES (?, ?)')

const app = Fastify({ bodyLimit: 4 * 1024 * 1024 })
const io = new Server(app.server, { perMessageDeflate: false, transports: ['websocket'] })
io.on('connection', (socket) => {
  const { user } = socket.handshake.auth
  if (typeof user === 'string') void socket.join(user)
})

let page = '{}'
app.put<{ Body: unknown }>('/page', async (request) => {
  page = JSON.stringify(request.body)
  return {}
})
app.get('/page', async (_request, reply) => reply.type('application/json; charset=utf-8').send(page))
app.post<{ Body: { userId: string; title: string; message: string } }>('/send', async (request) => {
  const { userId, title, message } = request.body
  const { lastInsertRowid } = insert.run(userId, JSON.stringify({ title, message }))
  io.to(userId).emit('inbox:changed', { id: Number(lastInsertRowid), title, message })
  return { success: true, id: Number(lastInsertRowid) }
})
app.get('/memory', async () => {
  globalThis.gc?.()
  return { rssBytes: process.memoryUsage.rss() }
})

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
