import { notificationIdSchema, programRecordIdSchema, userIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { requestedAudienceSchema } from '@portal/contracts/notifications/audience'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toggleEntry } from '../../../lib/toggle-entry.ts'
import {
  audienceOf,
  emptyRule,
  isEmptyRule,
  isTicked,
  setTicked,
  withCondition,
  withEveryone,
  type Rule,
} from './rule.ts'

const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
const userId = (n: number) => userIdSchema.parse(id(n))
const ai = programRecordIdSchema.parse(id(501))
const exam = notificationIdSchema.parse(id(701))

/** What the server sends and expects: without absent kinds. */
const asJson = (rule: Rule): unknown => JSON.parse(JSON.stringify(audienceOf(rule)))

describe('a rule', () => {
  it('selects no one at first, and contains only the kinds that have entries', () => {
    expect(isEmptyRule(emptyRule)).toBe(true)
    expect(asJson(emptyRule)).toEqual({})
    const rule = withCondition(emptyRule, { programIds: [ai], paymentStatuses: ['Pending'] })
    expect(asJson(rule)).toEqual({ programIds: [ai], paymentStatuses: ['Pending'] })
    expect(asJson(withCondition(rule, { programIds: toggleEntry(rule.programIds, ai) }))).toEqual({
      paymentStatuses: ['Pending'],
    })
  })

  it('keeps either everyone or other conditions', () => {
    const learners = withCondition(withEveryone(emptyRule, true), { roles: ['student'] })
    expect(asJson(learners)).toEqual({ roles: ['student'] })
    expect(asJson(withEveryone(learners, true))).toEqual({ everyone: true })
  })

  it('has numbers of semesters and installments', () => {
    const rule = withCondition(withEveryone(emptyRule, true), { semesters: [2], installmentsDue: [1, 2] })
    expect(asJson(rule)).toEqual({ semesters: [2], installmentsDue: [1, 2] })
    expect(asJson(withCondition(rule, { semesters: [], installmentsDue: [] }))).toEqual({})
  })

  it('combines a list and a reminder with other conditions', () => {
    const rule = withCondition(emptyRule, {
      contactList: { source: 'learners.csv', contacts: ['asha@example.com'] },
      unreadOf: { id: exam, title: 'Exam moved' },
      universityNames: ['Hill University'],
    })
    expect(asJson(rule)).toEqual({
      contacts: ['asha@example.com'],
      unreadOf: exam,
      universityNames: ['Hill University'],
    })
  })

  it('forgets who was removed by hand when its last condition goes', () => {
    const everyoneElse = setTicked(withEveryone(emptyRule, true), [{ userId: userId(1), matches: true }], false)
    expect(asJson(everyoneElse)).toEqual({ everyone: true, exclude: [userId(1)] })
    expect(asJson(withEveryone(everyoneElse, false))).toEqual({})
  })
})

describe('ticking people', () => {
  it('adds those whom the conditions do not select, and removes those whom they select', () => {
    const learners = withCondition(emptyRule, { roles: ['student'] })
    const asha = { userId: userId(1), matches: true }
    const ravi = { userId: userId(2), matches: false }
    const changed = setTicked(setTicked(learners, [asha], false), [ravi], true)
    expect(asJson(changed)).toEqual({ roles: ['student'], include: [ravi.userId], exclude: [asha.userId] })
    expect(asJson(setTicked(setTicked(changed, [asha], true), [ravi], false))).toEqual({ roles: ['student'] })
  })

  it('removes a user in either case if it is unknown whether the conditions select them', () => {
    const chosen = { ...withCondition(emptyRule, { roles: ['student'] }), include: new Set([userId(1)]) }
    const removed = setTicked(chosen, [{ userId: userId(1), matches: undefined }], false)
    expect(asJson(removed)).toEqual({ roles: ['student'], exclude: [userId(1)] })
  })

  it('does what was clicked last, for any order of clicks', () => {
    const click = fc.record({ user: fc.nat(4), ticked: fc.boolean() })
    const matchesOf = fc.array(fc.boolean(), { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(click), matchesOf, fc.boolean(), (clicks, matches, hasCondition) => {
        const candidate = (n: number) => ({ userId: userId(n), matches: hasCondition && matches[n] === true })
        const start = hasCondition ? withCondition(emptyRule, { roles: ['student'] }) : emptyRule
        const rule = clicks.reduce((now, { user, ticked }) => setTicked(now, [candidate(user)], ticked), start)
        const last = new Map(clicks.map(({ user, ticked }) => [user, ticked]))
        const selected = (user: number): boolean => last.get(user) ?? (hasCondition && matches[user] === true)

        // What the server selects: the conditions, plus `include`, minus `exclude`.
        const onServer = (user: UserId, isMatch: boolean) =>
          (isMatch || rule.include.has(user)) && !rule.exclude.has(user)
        for (const n of [0, 1, 2, 3, 4]) {
          const { userId: user, matches: isMatch } = candidate(n)
          expect(isTicked(rule, candidate(n))).toBe(selected(n))
          expect(onServer(user, isMatch)).toBe(selected(n))
        }
        expect(requestedAudienceSchema.safeParse(asJson(rule)).success).toBe(!isEmptyRule(rule))
      }),
    )
  })
})
