import { listDeletedPrograms, restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import {
  addFact,
  addTool,
  createProgram,
  listPrograms,
  removeFact,
  removeProgram,
  removeTool,
  updateProgram,
} from '@portal/contracts/catalog/http'
import type { Program } from '@portal/contracts/catalog/program'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Harness, startHarness } from '@portal/catalog/testing/harness'
import { programEventSchema } from './events.ts'
import { nameKey } from '@portal/contracts/shared/name-key'

const as = 'admin'
const tool = { name: 'Git', logoUrl: '/git.svg' }
const fact = { content: 'Live classes' }

/** `pick` selects an existing program, tool or fact. Steps that are impossible are rejected and ignored. */
type Step = { readonly kind: string; readonly pick: number; readonly name: string; readonly code: string }

const attempt = async (portal: Harness, { kind, pick, name, code }: Step): Promise<void> => {
  const programs = await portal.call(listPrograms)
  const program = programs[pick % Math.max(1, programs.length)]
  const id = program?._id ?? 'none'
  const itemOf = (items: readonly { readonly _id: string }[] = []) =>
    items[pick % Math.max(1, items.length)]?._id ?? 'none'
  const body = { programName: name, programId: code }
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    create: () => portal.call(createProgram, { as, body: { ...body, toolkit: [tool], facts: [fact] } }),
    update: () => portal.call(updateProgram, { as, id, body: { ...body, toolkit: program?.toolkit } }),
    remove: () => portal.call(removeProgram, { as, id }),
    restore: async () => {
      const { data: deleted } = await portal.call(listDeletedPrograms, { as })
      return portal.call(restoreProgram, { as, id: itemOf(deleted) })
    },
    addTool: () => portal.call(addTool, { as, id, body: tool }),
    removeTool: () => portal.call(removeTool, { as, id, itemId: itemOf(program?.toolkit) }),
    addFact: () => portal.call(addFact, { as, id, body: fact }),
    removeFact: () => portal.call(removeFact, { as, id, itemId: itemOf(program?.facts) }),
  }
  await steps[kind]?.().catch((error: unknown) => {
    if (!/: (404|409) /.test(String(error))) throw error
  })
}

const steps = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'update',
    'remove',
    'restore',
    'addTool',
    'removeTool',
    'addFact',
    'removeFact',
  ),
  pick: fc.nat(5),
  name: fc.constantFrom('Minor in AI', 'Minor in DS'),
  code: fc.constantFrom('', '', 'A-1', 'a-1', 'B-2'),
})
/** The steps of one batch run concurrently. */
const scripts = fc.array(fc.array(steps, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })

/** Folds the log into programs, independently of the projection. */
const foldLog = async (portal: Harness): Promise<Program[]> => {
  const programs: Program[] = []
  for (const event of (await portal.recorded()).map((recorded) => programEventSchema.parse(recorded))) {
    if (event.type === 'ProgramRemoved') {
      programs.splice(
        programs.findIndex(({ _id }) => _id === event.data.programId),
        1,
      )
      continue
    }
    const { program } = event.data
    const known = programs.findIndex(({ _id }) => _id === program._id)
    programs.splice(known === -1 ? programs.length : known, 1, program)
  }
  return programs
}

test('matches the log after concurrent changes by two processes, and so does a rebuilt catalog', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      const portal = await startHarness({ processes: 2 })
      try {
        for (const batch of script) await Promise.all(batch.map((step) => attempt(portal, step)))
        const programs = await portal.call(listPrograms)
        expect(programs).toEqual(await foldLog(portal))
        const codes = programs.map(({ programId }) => nameKey(programId))
        expect(new Set(codes).size).toBe(codes.length)
        const { serving, rebuilt } = await portal.digests()
        expect(rebuilt).toEqual(serving)
      } finally {
        await portal.stop()
      }
    }),
    { numRuns: 25 },
  )
}, 120_000)
