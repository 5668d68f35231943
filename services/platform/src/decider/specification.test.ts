import { AssertionError } from 'node:assert'
import { describe, expect, test } from 'vitest'
import { type Decider, ok, rejected } from './decider.ts'
import { specification } from '@portal/platform/testing/decider/specification'

type Switched = { readonly type: 'Switched'; readonly data: { readonly on: boolean; readonly by?: string | undefined } }

const lamp: Decider<
  { on: boolean },
  { readonly on: boolean; readonly by?: string },
  Switched,
  { readonly code: string }
> = {
  category: 'lamp',
  initial: { on: false },
  decide: ({ on, by }, state) => {
    if (by === 'nobody') return rejected({ code: 'nobody' })
    return ok(on === state.on ? [] : [{ type: 'Switched', data: { on, by } }])
  },
  evolve: (_, event) => ({ on: event.data.on }),
  parse: ({ type, data }) => {
    if (type !== 'Switched' || typeof data !== 'object' || data === null || !('on' in data)) throw new TypeError(type)
    return { type, data: { on: data.on === true, ...('by' in data ? { by: String(data.by) } : {}) } }
  },
}
const switched = (on: boolean): Switched => ({ type: 'Switched', data: { on } })
const spec = specification(lamp)

describe('a specification passes', () => {
  test('if the events are the decided ones', () => {
    expect(() =>
      spec
        .given([])
        .when({ on: true })
        .then([switched(true)]),
    ).not.toThrow()
    expect(() =>
      spec
        .given([switched(true)])
        .when({ on: false })
        .then([switched(false)]),
    ).not.toThrow()
  })
  test('if no event was expected and none was decided', () => {
    expect(() =>
      spec
        .given([switched(true)])
        .when({ on: true })
        .thenNothing(),
    ).not.toThrow()
  })
  test('if the rejection is the expected one', () => {
    expect(() => spec.given([]).when({ on: true, by: 'nobody' }).thenRejected({ code: 'nobody' })).not.toThrow()
  })
  test('if the resulting state is the expected one', () => {
    expect(() =>
      spec
        .given([switched(true)])
        .when({ on: false })
        .thenState({ on: false }),
    ).not.toThrow()
    expect(() =>
      spec
        .given([switched(true)])
        .when({ on: true })
        .thenState({ on: true }),
    ).not.toThrow()
  })
})

describe('a specification fails', () => {
  test('if the events differ', () => {
    expect(() =>
      spec
        .given([])
        .when({ on: true })
        .then([switched(false)]),
    ).toThrow(AssertionError)
    expect(() => spec.given([]).when({ on: true }).then([])).toThrow(AssertionError)
    expect(() => spec.given([]).when({ on: true }).thenNothing()).toThrow(AssertionError)
  })
  test('on an unexpected rejection, and names it', () => {
    const outcome = spec.given([]).when({ on: true, by: 'nobody' })
    expect(() => outcome.then([])).toThrow(/was rejected.*nobody/s)
    expect(() => outcome.thenState({ on: false })).toThrow(/was rejected/)
    expect(() => outcome.thenRejected({ code: 'somebody' })).toThrow(AssertionError)
  })
  test('if an expected rejection does not occur, and shows the events', () => {
    expect(() => spec.given([]).when({ on: true }).thenRejected({ code: 'nobody' })).toThrow(/was accepted.*Switched/s)
  })
  test('if the state differs', () => {
    expect(() => spec.given([]).when({ on: true }).thenState({ on: false })).toThrow(AssertionError)
  })
  test('if a given event cannot be stored and read', () => {
    const broken = specification({
      ...lamp,
      parse: () => {
        throw new TypeError('unknown event')
      },
    })
    expect(() => broken.given([switched(true)])).toThrow('unknown event')
  })
})
