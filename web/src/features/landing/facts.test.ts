import { describe, expect, it } from 'vitest'
import { facts, hoursText, factTexts, rupees } from './facts.ts'

/** Replaces non-breaking spaces. */
const plain = (text: string) => text.replaceAll('\u00A0', ' ')

describe('the facts', () => {
  it('[H-12] add up', () => {
    expect(facts.credits.perSemester.reduce((sum, credits) => sum + credits, 0)).toBe(facts.credits.total)
    expect(facts.fee.installments * facts.fee.installmentRupees).toBe(facts.fee.totalRupees)
    expect(facts.fee.installments).toBe(facts.credits.perSemester.length)
  })

  it.each([
    [factTexts.credits, '18 credits over 3 semesters (7+8+3)'],
    [factTexts.fee, '₹45,000 in three installments of ₹15,000'],
    [factTexts.placement, 'CGPA 7.0 or higher'],
    [factTexts.clearance, '30 percent'],
    [factTexts.hours, 'weekdays 7–10 PM and weekends 9 AM–5 PM'],
    [factTexts.studentId, 'valid 18 months'],
    [factTexts.immersion, '2–3 days after semester 1'],
    [factTexts.immersionCost, 'under ₹1,000 a day'],
    [factTexts.exam, 'within about 500 km'],
    [factTexts.dailyCheck, '1 day'],
    [factTexts.assignment, '10 days'],
    [factTexts.evaluations, '2 online evaluations'],
  ])('[H-11 H-13 H-15 H-16 H-17 H-18 H-19 H-20] have the specified values: %s', (said, expected) => {
    expect(plain(said)).toBe(expected)
  })

  it('[H-21] contain four tracks', () => {
    expect(facts.tracks).toEqual(['AI', 'CS and advanced technologies', 'DS and ML', 'Business analytics'])
  })

  it('format noon and midnight on a 12-hour clock, and amounts with Indian grouping', () => {
    expect(plain(hoursText({ fromHour: 11, toHour: 12 }))).toBe('11 AM–12 PM')
    expect(plain(hoursText({ fromHour: 0, toHour: 1 }))).toBe('12–1 AM')
    expect(rupees(145_000)).toBe('₹1,45,000')
  })
})
