import { expect, it } from 'vitest'
import { markedOf, noMarks, refreshed, withMarked, withoutMarked } from './marks.ts'
import { planSemesters } from './semesters.ts'
import { aLearner } from './testing/fake-learners.ts'

const many = Array.from({ length: 520 }, (_, n) => aLearner(n + 1, `Learner ${n}`))

it('marks at most 500 learners, and none of them twice', () => {
  const marks = withMarked(withMarked(noMarks, many.slice(0, 490)), many.slice(480))
  expect(marks.size).toBe(500)
  expect(markedOf(marks, many.slice(450, 500))).toBe('all')
  expect(markedOf(marks, many.slice(490, 510))).toBe('some')
  expect(markedOf(marks, many.slice(500))).toBe('none')
  expect(markedOf(noMarks, [])).toBe('none')
})

it('keeps what was last seen of a marked learner', () => {
  const [first, second, third] = [aLearner(1, 'A'), aLearner(2, 'B'), aLearner(3, 'C')]
  const marks = withMarked(noMarks, [first, second])
  const paid = { ...first, paymentStatus: 'Completed' as const }
  expect([...refreshed(marks, [paid, third]).values()]).toEqual([paid, second])
  expect(refreshed(marks, [third])).toBe(marks)
  expect([...withoutMarked(marks, [first.userId, third.userId]).keys()]).toEqual([second.userId])
})

it('plans the next semester from the lowest on, and leaves out the last and unknown ones', () => {
  const learners = ['Semester 2', 'Semester 1', 'Semester 3', 'Semester 2', 'Second', 'Semester 02'].map(
    (currentSemester, n) => aLearner(n, `L ${n}`, { currentSemester }),
  )
  const { groups, staying } = planSemesters(learners, 3)
  expect([...groups].map(([semester, { length }]) => [semester, length])).toEqual([
    [1, 1],
    [2, 2],
  ])
  expect(staying).toBe(3)
})
