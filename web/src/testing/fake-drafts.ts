import type { DraftSummary } from '@portal/contracts/notifications/drafts'
import { draftIdSchema } from '@portal/contracts/shared/ids'
import { currentSession } from '../lib/session.ts'
import { ok, problem } from './fake-portal.ts'
import type { FakeServer, ServerAnswer } from './fake-server.ts'

type Saved = DraftSummary & { readonly content: string }

const currentOwner = () => currentSession()?.user._id ?? ''

const route = (method: string) => new RegExp(`^${method} /notifications/drafts/.`)
const notFound = problem(404, 'not-found', 'Draft not found')
const changed = problem(409, 'conflict', 'This draft was changed elsewhere')

/** A server that keeps drafts, as services/notifications/src/draft does. */
export const serveDrafts = (server: FakeServer) => {
  const drafts = new Map<string, Saved>()
  const owners = new Map<string, string>()
  const versions = new Map<string, number>()
  const repeated = new Map<string, string>()
  /** What the next calls answer instead, after their effect if `isLost`. */
  let outage: { readonly answer: ServerAnswer; readonly isLost: boolean } | undefined
  let clock = 0

  const answered = (effect: () => ServerAnswer): ServerAnswer => {
    if (!outage) return effect()
    if (outage.isLost) effect()
    return outage.answer
  }
  const idOf = (call: string) => draftIdSchema.parse(call.split('/').at(-1))
  const save = (id: string, body: object): ServerAnswer => {
    const { kind, title, about, content, version } = Object(body)
    const before = versions.get(id) ?? 0
    const isRepeated = repeated.get(`${id} ${version}`) === content
    if (before !== version && !isRepeated) return changed
    const _id = draftIdSchema.parse(id)
    const updatedAt = new Date(Date.UTC(2026, 10, 21, 10, 0, clock++)).toISOString()
    const known = isRepeated ? drafts.get(id) : undefined
    const draft: Saved = known ?? { _id, kind, title, about, content, version: version + 1, updatedAt }
    versions.set(id, draft.version)
    repeated.set(`${id} ${version}`, content)
    owners.set(id, owners.get(id) ?? currentOwner())
    drafts.delete(id)
    drafts.set(id, draft)
    const { content: _, ...summary } = draft
    return ok({ draft: summary })
  }
  const discard = (id: string, version: string | null): ServerAnswer => {
    const known = drafts.get(id)
    if (known && version !== null && Number(version) !== known.version) return changed
    if (known) versions.set(id, known.version + 1)
    drafts.delete(id)
    return ok({ message: 'Draft discarded' })
  }

  const all = () => [...drafts.values()].toReversed()
  const ofCaller = () => all().filter(({ _id }) => owners.get(_id) === currentOwner())
  server.on('GET /notifications/drafts', () => answered(() => ok({ drafts: ofCaller() })))
  server.onMatch(route('GET'), ({ call }) =>
    answered(() => {
      const draft = drafts.get(idOf(call))
      return draft ? ok({ draft }) : notFound
    }),
  )
  server.onMatch(route('PUT'), ({ call, body }) => answered(() => save(idOf(call), Object(body))))
  server.onMatch(route('DELETE'), ({ call, query }) => answered(() => discard(idOf(call), query.get('version'))))

  return {
    all,
    titles: () => all().map(({ title }) => title),
    saves: () => server.requests.filter(({ call }) => route('PUT').test(call)),
    /** Another device. */
    save,
    discard: (id: string) => discard(id, null),
    answerWith: (answer: ServerAnswer | undefined, { isLost = false } = {}) => {
      outage = answer && { answer, isLost }
    },
  }
}
