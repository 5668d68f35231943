import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/**
 * A model of a cutover in one partition. Two processes write and read, and may pause between any two steps. A client reads through both.
 * It compares three designs (docs/adr/0020-keep-the-fence.md):
 *
 * - 'fence': the previous generation rejects commits before the next one reads the rest of the log.
 * - 'gate': a process reads the next generation once that has every position of the previous one. Writers move first.
 * - 'document': as 'gate', but no process does so before the generations document says that the next one has all positions.
 */
type Design = 'fence' | 'gate' | 'document'
type Name = 'previous' | 'next'
type Replay = 'append' | 'fence' | 'catch up' | 'switch' | 'announce' | 'lose the lock'
type Own = 'prepare' | 'commit' | 'poll' | 'read'
type Step = Replay | readonly [Own, process: 0 | 1]

type Read = { readonly process: 0 | 1; readonly generation: Name; readonly position: number }
type Process = {
  writes: Name
  reads: Name
  prepared?: { readonly generation: Name; readonly position: number } | undefined
}

/** What the client reads, in order. */
const readsOf = (design: Design, steps: readonly Step[]): readonly Read[] => {
  const position = { previous: 0, next: 0 }
  const processes: readonly [Process, Process] = [
    { writes: 'previous', reads: 'previous' },
    { writes: 'previous', reads: 'previous' },
  ]
  const reads: Read[] = []
  let appended = 0
  const is = { fenced: false, caughtUp: false, locked: true, switched: false, announced: design !== 'document' }
  const hasAll = () => position.next >= position.previous

  const replay: Record<Replay, () => void> = {
    append: () => void appended++,
    fence: () => void (is.fenced ||= design === 'fence' && is.locked && !is.switched),
    'catch up': () => {
      if (is.switched || (design === 'fence' && !is.fenced)) return
      position.next = appended
      is.caughtUp = true
    },
    switch: () => void (is.switched ||= is.caughtUp && is.locked),
    announce: () => void (is.announced ||= is.switched && hasAll()),
    'lose the lock': () => {
      is.locked = false
      if (!is.switched) is.fenced = false
    },
  }
  const own: Record<Own, (process: Process, id: 0 | 1) => void> = {
    prepare: (process) => {
      const { writes: generation } = process
      if (position[generation] < appended) process.prepared ??= { generation, position: position[generation] + 1 }
    },
    commit: (process) => {
      const { prepared } = process
      process.prepared = undefined
      if (prepared === undefined || (is.fenced && prepared.generation === 'previous')) return
      // Compare-and-set: another process may have committed the position.
      if (position[prepared.generation] === prepared.position - 1) position[prepared.generation] = prepared.position
    },
    poll: (process) => {
      // A process moves after its commit in progress, and reads nothing meanwhile.
      if (!is.switched || process.prepared !== undefined) return
      process.writes = 'next'
      if (design === 'fence' || (is.announced && hasAll())) process.reads = 'next'
    },
    read: ({ reads: generation }, process) => void reads.push({ process, generation, position: position[generation] }),
  }
  for (const step of steps) {
    if (typeof step === 'string') replay[step]()
    else own[step[0]](processes[step[1]], step[1])
  }
  return reads
}

type Compared = (earlier: Read, later: Read) => boolean
const inOneProcess: Compared = (earlier, later) => earlier.process === later.process
const fromPreviousToNext: Compared = (earlier, later) =>
  earlier.generation === 'previous' && later.generation === 'next'

const neverReverts = (reads: readonly Read[], isCompared: Compared): boolean =>
  reads.every((later, index) =>
    reads.slice(0, index).every((earlier) => earlier.position <= later.position || !isCompared(earlier, later)),
  )

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('append', 'fence', 'catch up', 'switch', 'announce', 'lose the lock') },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom('prepare', 'commit', 'poll', 'read'), fc.constantFrom(0, 1)),
  },
)
const schedules = fc.array(step, { maxLength: 40, size: 'max' })

const assertNever = (design: Design, isCompared: Compared) =>
  fc.assert(
    fc.property(schedules, (steps) => neverReverts(readsOf(design, steps), isCompared)),
    { seed: 20, numRuns: 10_000 },
  )

describe('a client that reads through several processes', () => {
  it('RP-13 sees nothing go back in one process', () => {
    for (const design of ['fence', 'gate', 'document'] as const) assertNever(design, inOneProcess)
  })

  it('RP-13 finds what any process showed before the switch in the next generation, because of the fence', () => {
    assertNever('fence', fromPreviousToNext)
  })

  it('RP-13 with a gate at the reader loses what a late writer adds to the previous generation', () => {
    const late: readonly Step[] = [
      'append',
      ['prepare', 1],
      ['commit', 1],
      'catch up',
      'switch',
      'announce',
      ['poll', 0],
    ]
    const meanwhile: readonly Step[] = ['append', ['prepare', 1], ['commit', 1], ['read', 1], ['read', 0]]
    for (const design of ['gate', 'document'] as const) {
      const reads = readsOf(design, [...late, ...meanwhile])
      expect(reads.map(({ generation, position }) => [generation, position])).toEqual([
        ['previous', 2],
        ['next', 1],
      ])
    }
    const fenced = readsOf('fence', ['fence', ...late, ...meanwhile])
    expect(neverReverts(fenced, fromPreviousToNext)).toBe(true)
  })
})
