import { describe, expect, it } from 'vitest'
import { aProgram, programIdOf } from '../../testing/fake-catalog.ts'
import type { Program } from '@portal/contracts/catalog/program'
import { applyToPrograms, type CatalogChange } from './apply-catalog-change.ts'
import { advance, nothingYet, type LiveAction, type LiveAnswer } from './live-answer.ts'

type Programs = readonly Program[]

const after = (...actions: LiveAction<Programs>[]) =>
  actions.reduce((live: LiveAnswer<Programs>, action) => advance(live, action, applyToPrograms), nothingYet)

const asked = (round: number, isOther = round === 1) => ({ kind: 'asked', round, isOther }) as const
const answered = (round: number, ...data: Program[]) =>
  ({ kind: 'answered', round, answer: { success: true, data } }) as const
const failed = (round: number, code: 'not-found' | 'unavailable') =>
  ({ kind: 'answered', round, answer: { success: false, code, message: 'Not now' } }) as const
const changed = (change: CatalogChange) => ({ kind: 'changed', change }) as const
const renamed = { ...aProgram(1), programName: 'Renamed' }

describe('a live answer', () => {
  it('applies what it is told during a fetch to what the fetch brings', () => {
    const live = after(asked(1), changed({ kind: 'program-saved', program: renamed }), answered(1, aProgram(1)))
    expect(live.shown).toEqual({ kind: 'loaded', data: [renamed] })
  })

  it('applies what it is told during a fetch to what is shown, too', () => {
    const live = after(
      asked(1),
      answered(1, aProgram(1)),
      asked(2),
      changed({ kind: 'program-removed', programId: programIdOf(1), removedAt: '2026-11-21T09:00:00.000Z' }),
    )
    expect(live.shown).toEqual({ kind: 'loaded', data: [] })
  })

  it('takes the answer of the latest fetch only', () => {
    const live = after(asked(1), asked(2), answered(2, renamed), answered(1, aProgram(1)))
    expect(live.shown).toEqual({ kind: 'loaded', data: [renamed] })
  })

  it('keeps what is shown when a later fetch does not get through, but not when it says that there is nothing', () => {
    expect(after(asked(1), answered(1, renamed), asked(2), failed(2, 'unavailable')).shown.kind).toBe('loaded')
    expect(after(asked(1), answered(1, renamed), asked(2), failed(2, 'not-found')).shown.kind).toBe('failed')
  })

  it('waits again after a failure, and for something else', () => {
    expect(after(asked(1), failed(1, 'unavailable'), asked(2)).shown.kind).toBe('loading')
    expect(after(asked(1), answered(1, renamed), asked(2, true)).shown.kind).toBe('loading')
  })

  it('forgets what it was told before a fetch', () => {
    const live = after(
      asked(1),
      changed({ kind: 'program-saved', program: aProgram(2) }),
      answered(1),
      asked(2),
      answered(2, aProgram(1)),
    )
    expect(live.shown).toEqual({ kind: 'loaded', data: [aProgram(1)] })
    expect(live.meanwhile).toEqual([])
  })
})
