import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aProgram, fakeCatalog, programIdOf, type FakeCatalog } from '../../testing/fake-catalog.ts'
import {
  applyToEnrolledProgram,
  applyToEnrollments,
  applyToProgram,
  applyToPrograms,
  type CatalogChange,
} from './apply-catalog-change.ts'

/** Programs have numbers. The number of a removed program is used again only if that program is restored. */
type Step = {
  readonly do: 'add' | 'change' | 'remove' | 'restore' | 'enroll' | 'pay' | 'end' | 'reinstate'
  readonly which: number
}

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom(
      'add',
      'add',
      'change',
      'change',
      'remove',
      'restore',
      'enroll',
      'enroll',
      'pay',
      'end',
      'reinstate',
    ),
    which: fc.nat(7),
  }),
  { maxLength: 40 },
)

/** A catalog and the changes that it has sent. */
const createCatalog = () => {
  const catalog = fakeCatalog()
  const sentChanges: CatalogChange[] = []
  let added = 0
  let changed = 0
  const run = (step: Step) => {
    const existing = catalog.programs().at(step.which % Math.max(1, catalog.programs().length))
    const removed = catalog.removed().at(step.which % Math.max(1, catalog.removed().length))
    if (step.do === 'restore') sentChanges.push(...(removed ? [catalog.save(removed)] : []))
    else if (step.do === 'add') sentChanges.push(catalog.save(aProgram(added++)))
    else if (!existing) return
    else if (step.do === 'change') sentChanges.push(catalog.save({ ...existing, programName: `Changed ${changed++}` }))
    else if (step.do === 'remove') sentChanges.push(catalog.remove(existing._id))
    else if (step.do === 'end') sentChanges.push({ kind: 'enrollment-ended', ...catalog.end(existing._id) })
    else if (step.do === 'reinstate') {
      const reinstated = catalog.reinstate(existing._id)
      if (reinstated) sentChanges.push({ kind: 'enrollment-changed', ...reinstated })
    } else if (step.do === 'pay') {
      const paid = catalog.change(existing._id, { paymentStatus: 'Completed' })
      if (paid) sentChanges.push({ kind: 'enrollment-changed', ...paid })
    } else sentChanges.push({ kind: 'enrollment-changed', ...catalog.enroll(existing._id) })
  }
  return { catalog, sentChanges, run }
}

const fetched = (catalog: FakeCatalog) => ({ programs: catalog.programs(), enrollments: catalog.enrollments() })

describe('the catalog under changes', () => {
  it('equals a fresh fetch after any changes', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const { catalog, sentChanges, run } = createCatalog()
        before.forEach(run)
        const old = fetched(catalog)
        sentChanges.length = 0
        for (const step of after) {
          run(step)
          const applied = {
            programs: sentChanges.reduce(applyToPrograms, old.programs),
            enrollments: sentChanges.reduce(applyToEnrollments, old.enrollments),
          }
          expect(applied).toEqual(fetched(catalog))
        }
      }),
    )
  })

  it('equals a fresh fetch even if the old one already contained some of the changes', () => {
    fc.assert(
      fc.property(steps, steps, fc.nat(40), (before, after, from) => {
        const { catalog, sentChanges, run } = createCatalog()
        before.forEach(run)
        const old = fetched(catalog)
        const repeated = sentChanges.slice(Math.max(0, sentChanges.length - from))
        sentChanges.length = 0
        after.forEach(run)
        const all = [...repeated, ...sentChanges]
        expect(all.reduce(applyToEnrollments, old.enrollments)).toEqual(catalog.enrollments())
        expect(all.reduce(applyToPrograms, old.programs).toSorted((a, b) => (a._id < b._id ? -1 : 1))).toEqual(
          catalog.programs().toSorted((a, b) => (a._id < b._id ? -1 : 1)),
        )
      }),
    )
  })

  it('keeps a single program, and an enrolled program, equal to a fresh fetch', () => {
    fc.assert(
      fc.property(steps, (after) => {
        const { catalog, sentChanges, run } = createCatalog()
        run({ do: 'add', which: 0 })
        const id = programIdOf(0)
        catalog.enroll(id)
        const [program, enrolled] = [catalog.find(id) ?? null, catalog.enrolled(id)]
        sentChanges.length = 0
        after.forEach(run)
        expect(sentChanges.reduce(applyToProgram(id), program)).toEqual(catalog.find(id) ?? null)
        // The page asks the server again when the enrollment has ended.
        const applied = enrolled && sentChanges.reduce(applyToEnrolledProgram, enrolled)
        expect(applied).toEqual(catalog.enrolled(id) ?? applied)
      }),
    )
  })
})
