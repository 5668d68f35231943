import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { Server } from 'socket.io'

/**
 * The baseline in its own process: Fastify, one SQLite transaction with synchronous=FULL per POST, for the event and each
 * recipient's inbox entry and count, then a Socket.IO emit to those online; and a GET that returns stored bytes. No session,
 * validation or projection. Prints its address.
 */
const [databasePath = ':memory:'] = process.argv.slice(2)
const database = new DatabaseSync(databasePath)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE events (id TEXT PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE inbox (user_id TEXT, seq INTEGER, event_id TEXT NOT NULL, PRIMARY KEY (user_id, seq)) WITHOUT ROWID;
  CREATE TABLE heads (user_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, unread INTEGER NOT NULL) WITHOUT ROWID`)
const append = database.prepare('INSERT INTO events VALUES (?, ?)')
const count = database.prepare(`INSERT INTO heads VALUES (?, 1, 1)
  ON CONFLICT DO UPDATE SET seq = seq + 1, unread = unread + 1 RETURNING seq, unread`)
const enter = database.prepare('INSERT INTO inbox VALUES (?, ?, ?)')

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
app.post<{ Body: { userIds: string[]; title: string; message: string; type: string } }>('/send', async (request) => {
  const { userIds, ...text } = request.body
  const notification = { id: randomUUID(), ...text }
  database.exec('BEGIN')
  append.run(notification.id, JSON.stringify(request.body))
  const heads = userIds.map((userId) => {
    const head = count.get(userId)
    enter.run(userId, head?.['seq'] ?? null, notification.id)
    return { userId, ...head }
  })
  database.exec('COMMIT')
  for (const { userId, ...head } of heads)
    if (io.sockets.adapter.rooms.has(userId)) io.to(userId).emit('inbox:changed', { ...head, notification })
  return { success: true, notificationId: notification.id }
})

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
