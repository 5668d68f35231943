import { headRef } from '@portal/notifications/read-model'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { configOf, neverAborted, newUsedFolder, type UsedFolder } from '@portal/ops/testing/restore/used-folder'
import { replay } from '@portal/platform/generations/replay'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projections } from '../settings/consumers.ts'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { collectStatus } from '../status/collect-status.ts'
import { withDifferingData } from './differing-data.ts'
import { openReplayPorts } from './open-replay-ports.ts'
import { replayText } from './present-replay.ts'

describe('a replay of an inbox that was altered by hand', { timeout: 120_000 }, () => {
  let used: UsedFolder
  beforeAll(async () => (used = await newUsedFolder()), 120_000)
  afterAll(() => used.remove())

  const inbox = projections.filter(({ name }) => name === 'inbox')

  const replayInbox = async (options: { readonly stamp: string; readonly force: boolean }) => {
    const ports = await openReplayPorts(used.config)
    try {
      const results = await replay({ ...ports, ...options, projections: inbox, signal: neverAborted })
      const stopped = await withDifferingData(ports.log, results, AbortSignal.abort())
      expect(stopped.every((result) => !('differing' in result))).toBe(true)
      return await withDifferingData(ports.log, results, neverAborted)
    } finally {
      await ports.close()
    }
  }

  /** The inbox of some learner. */
  const someUser = async () => {
    const ports = await openReplayPorts(used.config)
    try {
      for await (const item of ports.log.subscribe('start', { categories: ['user'] }, neverAborted)) {
        if (item.kind === 'event') return userIdSchema.parse(item.stream.slice('user-'.length))
      }
      throw new Error('no user')
    } finally {
      await ports.close()
    }
  }

  const problems = async () => (await collectStatus(configOf(used.config.dataDir), new Date())).problems

  it('names the learner, and status remembers it until the rebuilt one serves', async () => {
    const userId = await someUser()
    const ref = headRef(userId)
    await withServingReadModels(used.config, async (readModels) => {
      for (const projection of inbox) {
        const serving = await readModels.of(projection)
        if (serving === undefined) throw new Error('no inbox')
        const position = await serving.readModel.position('inbox', ref.partition)
        const value = { seq: 99, total: 99, unread: 99, readUpTo: 0 }
        const { collection, key } = ref
        const altered = { projection: 'inbox', partition: ref.partition, expected: position, position: `${position}~1` }
        await serving.readModel.commit({ ...altered, writes: [{ op: 'put', collection, key, value }] })
      }
    })
    const refused = await replayInbox({ stamp: '20991231t000000', force: false })
    expect(refused).toMatchObject([{ outcome: 'refused', differing: { documents: 1, entries: 0, users: [userId] } }])
    expect(replayText(refused, 1)).toContain(`1 document and 0 list entries differ, of 1 user: ${userId}.
The rebuilt one follows the log; to serve it: make replay P=inbox FORCE=1`)
    const remembered = 'The last replay found that inbox differs from the log: make replay P=inbox shows whose data'
    expect(await problems()).toContain(remembered)

    await replayInbox({ stamp: '20991231t000001', force: true })
    expect(await problems()).not.toContain(remembered)
  })

  it('names at most ten users', () => {
    const users = Array.from({ length: 10 }, (_, n) => `user-${n}`)
    const known = { documents: 1_204, entries: 1, users, moreUsers: 3 }
    const differing = { ...known, unreadPartitions: 0, uncheckedIds: 0 }
    const result = { projection: 'inbox', generation: 'next', previous: 'main', compared: 1, isRepair: false }
    const text = replayText([{ ...result, differences: [], outcome: 'refused', differing }], 1)
    expect(text).toContain(`1,204 documents and 1 list entry differ, of 13 users: ${users.join(', ')} and 3 more.`)
    const partly = { ...differing, unreadPartitions: 1 }
    expect(replayText([{ ...result, differences: [], outcome: 'refused', differing: partly }], 1)).toContain(
      'At least 1,204 documents and 1 list entry differ, of at least 13 users: ',
    )
  })

  it('says that there may be more users than it has looked up', async () => {
    const idOf = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`
    const userId = await someUser()
    const found = [userId, ...Array.from({ length: 10_001 }, (_, n) => idOf(n))]
    const differingRows = { names: found.map((id) => `d${id}`), unreadPartitions: 0 }
    const result = { projection: 'inbox', generation: 'next', previous: 'main', compared: 1, isRepair: false }
    const refused = { ...result, differences: [], outcome: 'refused', differingRows } as const
    const ports = await openReplayPorts(used.config)
    const results = await withDifferingData(ports.log, [refused], neverAborted).finally(ports.close)
    expect(results).toMatchObject([{ differing: { documents: 10_002, users: [userId], uncheckedIds: 2 } }])
    expect(replayText(results, 1)).toContain(
      `\n10,002 documents and 0 list entries differ, of at least 1 user: ${userId}.`,
    )
  })
})
